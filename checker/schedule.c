/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/schedule.h"

#include "checker/expand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOCAL_STATE_BYTES = 64 << 20 };

static void write_question(FILE *f, const struct question *q, unsigned property)
{
	fprintf(f, "%s n=%u", q->algorithm->name, q->shape.n);
	if (q->shape.k)
		fprintf(f, " k=%u", q->shape.k);
	if (q->shape.sessions)
		fprintf(f, " m=%u", q->shape.sessions);
	fprintf(f, " passages=");
	for (unsigned p = 0; p < question_passers(q); p++)
		fprintf(f, p ? ",%u" : "%u", q->passages[p]);
	for (unsigned i = 0; i < q->resizes; i++)
		fprintf(f, i ? ",%u" : " resize=%u", q->resize[i]);
	if (q->crashes)
		fprintf(f, " crashes=%u", q->crashes);
	if (q->deaths)
		fprintf(f, " deaths=%u", q->deaths);
	if (q->aborts)
		fprintf(f, " aborts=%u", q->aborts);
	if (q->faults)
		fprintf(f, " faults=%u", q->faults);
	if (q->no_clocks)
		fprintf(f, " no-clocks");
	if (q->wakes)
		fprintf(f, " wakes");
	/* If a schedule with wakes names no property, a replay checks
	 * no-lost-wake.  So this name is left out. */
	if (q->wakes)
		property &= ~(unsigned)NO_LOST_WAKE;
	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		if (property >> i & 1)
			fprintf(f, " property=%s", registry_property_name(i));
	fprintf(f, " :");
}

/* The value that the torn read of choice c returns, or the fate of its
 * transaction. */
static uint64_t variant_value(const struct world *w, struct choice c)
{
	if (w->current[c.process]->kind == STEP_REMOTE)
		return c.variant;
	return sim_torn_value(w->current[c.process]->word, c.variant);
}

static void write_choice(FILE *f, const struct world *w, struct choice c)
{
	enum phase phase = world_phase(w, c.process);

	fprintf(f, " %u", c.process);
	if (c.act == ACT_ABORT)
		fputc('a', f);
	else if (c.act == ACT_DIE)
		fputc('d', f);
	else if (c.act == ACT_NAP)
		fputc('n', f);
	else if (c.act == ACT_LAPSE)
		fputc('x', f);
	else if (c.act == ACT_DELIVER)
		fprintf(f, c.variant ? "g%u" : "g", c.variant + 1u);
	else if (c.act == ACT_START && phase == PHASE_REMAINDER &&
		 (sim.algorithm->kind == KIND_GROUP_EXCLUSION ||
		  sim.algorithm->kind == KIND_OBJECT))
		fprintf(f, "@%u", c.variant + 1u);
	else if (c.act == ACT_STEP && world_variants(w, c.process) > 1)
		fprintf(f, "=%" PRIu64, variant_value(w, c));
}

static bool is_plain(const struct world *w, struct choice c)
{
	bool remote = w->current[c.process]->kind == STEP_REMOTE;

	return (c.act == ACT_STEP &&
		(remote ? c.variant == FATE_ANSWERED
			: world_torn_values(w, c.process) == 1)) ||
	       (c.act == ACT_START &&
		(world_phase(w, c.process) == PHASE_DEAD ||
		 (sim.algorithm->kind != KIND_GROUP_EXCLUSION &&
		  sim.algorithm->kind != KIND_OBJECT)));
}

char *schedule_write(const struct question *q, unsigned property,
		     const struct choice *path, size_t length, size_t loop)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct world *w = calloc(1, sizeof *w);
	struct heap heap = { malloc(1 << 20), 0, 1 << 20 };
	unsigned run = 0;

	if (!f || !w || !heap.base || !world_open(w, q, LOCAL_STATE_BYTES))
		goto out;
	write_question(f, q, property);
	for (size_t i = 0; i < length; i++) {
		struct transition *t;
		bool plain = is_plain(w, path[i]);

		if (loop && i == length - loop)
			fprintf(f, " |");
		heap.used = 0;
		t = transition_try(w, path[i], &heap);
		if (!t)
			break;
		if (!plain)
			write_choice(f, w, path[i]);
		else
			run++;
		transition_apply(w, t);
		/* Successive plain steps of one process become one token. */
		if (plain &&
		    (i + 1 == length || (loop && i + 1 == length - loop) ||
		     path[i + 1].process != path[i].process ||
		     !is_plain(w, path[i + 1]))) {
			fprintf(f, run > 1 ? " %u*%u" : " %u", path[i].process,
				run);
			run = 0;
		}
	}
	world_close(w);
out:
	if (f)
		fclose(f);
	free(heap.base);
	free(w);
	return text;
}

static bool read_list(const char *name, const char *text, int *list, int most,
		      int *count, char *error)
{
	*count = 0;
	while (*text) {
		char *end;
		long each = strtol(text, &end, 10);

		if (end == text || *count == most || each < 0)
			return question_refuse("%s=%s is not a list of numbers",
					       name, text);
		list[(*count)++] = (int)each;
		text = *end == ',' ? end + 1 : end;
		if (end == text && *end)
			return question_refuse("'%s' after %s= is not a number",
					       end, name);
	}
	return true;
}

static bool read_field(char *field, struct lab_question *q, bool *wakes,
		       char *error)
{
	static const char *const names[] = { "n",       "k",      "m",
					     "crashes", "deaths", "aborts",
					     "faults" };
	int *const values[] = { &q->n,       &q->k,      &q->sessions,
				&q->crashes, &q->deaths, &q->aborts,
				&q->faults };
	char *equals = strchr(field, '='), *end;

	if (strcmp(field, "wakes") == 0) {
		*wakes = true;
		return true;
	}
	if (strcmp(field, "no-clocks") == 0) {
		q->no_clocks = true;
		return true;
	}
	if (!equals)
		return question_refuse(
			"'%s' before the colon is not NAME=NUMBER", field);
	*equals = '\0';
	if (strcmp(field, "passages") == 0)
		return read_list(field, equals + 1, q->passages, LAB_MAX_N,
				 &q->passage_count, error);
	if (strcmp(field, "resize") == 0)
		return read_list(field, equals + 1, q->resize, LAB_MAX_RESIZES,
				 &q->resize_count, error);
	if (strcmp(field, "property") == 0) {
		int number = registry_property_number(equals + 1);

		if (number < 0)
			return question_refuse(
				"property=%s: there is no such property",
				equals + 1);
		q->properties |= 1u << number;
		return true;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(field, names[i]) != 0)
			continue;
		*values[i] = (int)strtol(equals + 1, &end, 10);
		if (end == equals + 1 || *end)
			return question_refuse("%s=%s is not a number", field,
					       equals + 1);
		return true;
	}
	return question_refuse(
		"unknown '%s=' in a schedule; known are n, k, m, passages, "
		"resize, crashes, deaths, aborts, faults, no-clocks, property, "
		"wakes",
		field);
}

static bool read_token(const char *text, struct token *t, char *error)
{
	char *end;

	*t = (struct token){ 0, 1, 's', 0 };
	if (strcmp(text, "|") == 0) {
		t->act = '|';
		return true;
	}
	t->process = (unsigned)strtoul(text, &end, 10);
	if (end == text)
		return question_refuse(
			"'%s' in the schedule does not begin with a "
			"process number",
			text);
	if (*end == '\0')
		return true;
	if (strchr("adngx", *end) && end[1] == '\0') {
		t->act = *end;
		return true;
	}
	if (*end == '*' || *end == '=' || *end == '@' || *end == 'g') {
		char kind = *end;
		const char *number = end + 1;

		t->value = strtoull(number, &end, 10);
		if (end != number && *end == '\0') {
			t->act = kind == '*' ? 's' : kind;
			if (kind == '*')
				t->count = (unsigned)t->value;
			return true;
		}
	}
	return question_refuse(
		"'%s' is not a step of a schedule: P, P*COUNT, P=VALUE, "
		"P@SESSION, Pa, Pd, Pn, Px, Pg or |",
		text);
}

bool schedule_read(const char *text, struct lab_question *q, char *name,
		   size_t name_size, bool *wakes, struct token **tokens,
		   size_t *count, char *error)
{
	char *copy = strdup(text), *rest = copy, *word;
	size_t room = 0;
	bool in_head = true, ok = copy != NULL;

	*tokens = NULL;
	*count = 0;
	*wakes = false;
	*q = (struct lab_question){ .n = -1,
				    .k = -1,
				    .sessions = -1,
				    .crashes = -1,
				    .deaths = -1,
				    .aborts = -1,
				    .faults = -1 };
	name[0] = '\0';
	while (ok && (word = strsep(&rest, " \t\n")) != NULL) {
		if (!*word)
			continue;
		if (!name[0]) {
			snprintf(name, name_size, "%s", word);
		} else if (strcmp(word, ":") == 0) {
			in_head = false;
		} else if (in_head) {
			ok = read_field(word, q, wakes, error);
		} else {
			if (*count == room) {
				room = room ? 2 * room : 64;
				*tokens = realloc(*tokens,
						  room * sizeof **tokens);
			}
			ok = *tokens &&
			     read_token(word, &(*tokens)[(*count)++], error);
		}
	}
	if (ok && in_head)
		ok = question_refuse(
			"a schedule reads 'ALGORITHM n=N ... : STEPS'; "
			"there is no ':' in this one");
	free(copy);
	q->algorithm = name;
	return ok;
}

/* Whether a nap can end depends on the other processes, so ask expand. */
static bool nap_choice(struct world *w, unsigned p, struct choice *choice,
		       char *error)
{
	struct expansion x;
	bool found = false;

	if (!expand_open(&x))
		return question_refuse("not enough memory");
	expand(w, &x, NULL, 0);
	for (unsigned i = 0; i < x.count && !found; i++) {
		*choice = x.transition[i]->choice;
		found = choice->process == p && choice->act == ACT_NAP;
	}
	expand_close(&x);
	return found ||
	       question_refuse("the nap of process %u does not end here: the "
			       "process does not nap, another one can step, or "
			       "another pass would fail",
			       p);
}

bool schedule_choice(struct world *w, const struct token *t,
		     struct choice *choice, char *error)
{
	struct choice all[MAX_CHOICES];
	unsigned count, p = t->process;

	if (p >= w->n)
		return question_refuse(
			"there is no process %u; processes are numbered "
			"0 to %u",
			p, w->n - 1);
	if (t->act == 'n')
		return nap_choice(w, p, choice, error);
	count = world_choices(w, p, all);
	for (unsigned i = 0; i < count; i++) {
		struct choice c = all[i];
		bool fits = false;

		switch (t->act) {
		case 'a':
			fits = c.act == ACT_ABORT;
			break;
		case 'd':
			fits = c.act == ACT_DIE;
			break;
		case '@':
			fits = c.act == ACT_START && c.variant + 1u == t->value;
			break;
		case '=':
			fits = c.act == ACT_STEP &&
			       variant_value(w, c) == t->value;
			break;
		case 'g':
			fits = c.act == ACT_DELIVER &&
			       c.variant + 1u == (t->value ? t->value : 1);
			break;
		case 'x':
			fits = c.act == ACT_LAPSE;
			break;
		default:
			fits = c.act == ACT_STEP || c.act == ACT_START;
		}
		if (fits) {
			*choice = c;
			return true;
		}
	}
	return question_refuse("process %u cannot do that here; %s", p,
			       count ? "another action is possible"
			       : world_phase(w, p) == PHASE_REMAINDER
				       ? "it has made all its passages"
				       : "it is waiting");
}
