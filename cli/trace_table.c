/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/trace_table.h"

#include "cli/print.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_PER_HEADING = 40 };

/* The position at which each column begins. */
struct columns {
	int process[LAB_MAX_N];
	int action, word, value, event;
	int cc, smart, dsm; /* 0: the table does not show costs */
};

static int larger(int a, size_t b)
{
	return a > (int)b ? a : (int)b;
}

/* The text "3 -> 4", or "3" if the step did not change the word. */
static struct short_text values(const struct lab_step *s)
{
	struct short_text old = print_value(s->old), both;

	if (!s->changed)
		return old;
	snprintf(both.text, sizeof both.text, "%.20s -> %.20s", old.text,
		 print_value(s->new).text);
	return both;
}

static void lay_out(struct columns *c, const struct lab_step *step,
		    size_t count, unsigned n, bool costs)
{
	int label[LAB_MAX_N] = { 0 }, action = 6, word = 4, value = 5;
	int gap = n > 4 ? 1 : 2, at = 6;

	for (size_t i = 0; i < count; i++) {
		const struct lab_step *s = &step[i];

		label[s->process] = larger(label[s->process], strlen(s->label));
		action = larger(action, strlen(s->action));
		if (s->word[0]) {
			word = larger(word, strlen(s->word));
			value = larger(value, strlen(values(s).text));
		}
	}
	for (unsigned p = 0; p < n; p++) {
		c->process[p] = at;
		at += larger(label[p], p < 10 ? 2 : 3) + gap;
	}
	c->action = at + 1;
	c->word = c->action + action + 1;
	c->value = c->word + 1 + word + 2; /* 1 column for the * of a change */
	c->event = c->value + value + 2;
	c->cc = c->smart = c->dsm = 0;
	if (costs) {
		c->cc = c->event;
		c->smart = c->cc + 4;
		c->dsm = c->smart + 7;
		c->event = c->dsm + 5;
	}
}

/* Prints a cell at its column; *at is the current position in the row. */
static void put(int *at, int column, const char *text)
{
	*at += printf("%*s%s", column - *at, "", text);
}

static void print_heading(const struct columns *c, unsigned n)
{
	int at = printf("step");

	for (unsigned p = 0; p < n; p++) {
		char name[16];

		snprintf(name, sizeof name, "p%u", p);
		put(&at, c->process[p], name);
	}
	put(&at, c->action, "action");
	put(&at, c->word + 1, "word");
	put(&at, c->value, "value");
	if (c->cc) {
		put(&at, c->cc, "cc");
		put(&at, c->smart, "smart");
		put(&at, c->dsm, "dsm");
	}
	putchar('\n');
}

static const char *cost_text(bool is_remote)
{
	return is_remote ? "R" : "l";
}

static void print_step(const struct columns *c, const struct lab_step *s)
{
	int at = printf("%4u", s->step);

	put(&at, c->process[s->process], s->label);
	put(&at, c->action, s->action);
	if (s->word[0]) {
		put(&at, c->word, s->changed ? "*" : " ");
		fputs(s->changed ? bold_on() : "", stdout);
		put(&at, c->word + 1, s->word);
		put(&at, c->value, values(s).text);
		fputs(s->changed ? bold_off() : "", stdout);
	}
	if (c->cc && s->has_cost) {
		put(&at, c->cc, cost_text(s->remote_cc));
		put(&at, c->smart, cost_text(s->remote_smart));
		put(&at, c->dsm, cost_text(s->remote_dsm));
	}
	if (s->event[0])
		put(&at, c->event, s->event);
	putchar('\n');
}

void trace_table_print(const struct lab_step *step, size_t count, unsigned n,
		       bool costs)
{
	struct columns c;

	lay_out(&c, step, count, n, costs);
	for (size_t i = 0; i < count; i++) {
		if (i % ROWS_PER_HEADING == 0)
			print_heading(&c, n);
		if (step[i].is_loop)
			printf("      -- from here on the schedule repeats "
			       "for ever --\n");
		print_step(&c, &step[i]);
	}
}

void trace_table_print_costs(const struct lab_step *step, size_t count,
			     unsigned n)
{
	printf("\nR: remote, l: local; remote references");
	for (unsigned p = 0; p < n; p++) {
		unsigned cc = 0, smart = 0, dsm = 0;

		for (size_t i = 0; i < count; i++) {
			if (step[i].process != p || !step[i].has_cost)
				continue;
			cc += step[i].remote_cc;
			smart += step[i].remote_smart;
			dsm += step[i].remote_dsm;
		}
		printf("\n  p%-3u cc %u, with a smart cache %u, dsm %u", p, cc,
		       smart, dsm);
	}
	putchar('\n');
}

static void write_cost(struct json *j, const struct lab_step *s)
{
	if (!s->has_cost) {
		json_put_null(j, "remote");
		return;
	}
	json_open_object(j, "remote");
	json_bool(j, "cc", s->remote_cc);
	json_bool(j, "cc_smart", s->remote_smart);
	json_bool(j, "dsm", s->remote_dsm);
	json_close_object(j);
}

static void write_value(struct json *j, const char *key, bool is_access,
			uint64_t value)
{
	if (is_access)
		json_put_integer(j, key, (int64_t)value);
	else
		json_put_null(j, key);
}

void trace_table_write_json(struct json *j, const char *key,
			    const struct lab_step *step, size_t count)
{
	json_open_array(j, key);
	for (size_t i = 0; i < count; i++) {
		const struct lab_step *s = &step[i];
		const bool is_access = s->word[0] != '\0';

		json_open_object(j, NULL);
		json_put_integer(j, "step", s->step);
		json_put_integer(j, "process", s->process);
		json_text(j, "label", s->label);
		json_text(j, "action", s->action);
		json_text(j, "word", is_access ? s->word : NULL);
		write_value(j, "old", is_access, s->old);
		write_value(j, "new", is_access, s->new);
		json_bool(j, "changed", s->changed);
		write_cost(j, s);
		json_text(j, "event", s->event[0] ? s->event : NULL);
		json_bool(j, "loop", s->is_loop);
		json_close_object(j);
	}
	json_close_array(j);
}
