/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/steps.h"

#include "cli/print.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_UNDER_A_HEADING = 40 };

/* Where the columns begin. */
struct columns {
	int process[LAB_MAX_N];
	int action, word, value, event;
};

static int larger(int a, size_t b)
{
	return a > (int)b ? a : (int)b;
}

static struct brief values(const struct lab_step *s)
{
	struct brief old = print_value(s->old), both;

	if (!s->changed)
		return old;
	snprintf(both.text, sizeof both.text, "%.20s -> %.20s", old.text,
		 print_value(s->new).text);
	return both;
}

static void lay_out(struct columns *c, const struct lab_step *step,
		    size_t count, unsigned n)
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
	c->value = c->word + 1 + word + 2; /* 1: the mark */
	c->event = c->value + value + 2;
}

/* Print a cell where it belongs; `at` is where the row has got to. */
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
	putchar('\n');
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
	if (s->event[0])
		put(&at, c->event, s->event);
	putchar('\n');
}

void steps_print(const struct lab_step *step, size_t count, unsigned n)
{
	struct columns c;

	lay_out(&c, step, count, n);
	for (size_t i = 0; i < count; i++) {
		if (i % ROWS_UNDER_A_HEADING == 0)
			print_heading(&c, n);
		if (step[i].is_loop)
			printf("      -- from here on it repeats --\n");
		print_step(&c, &step[i]);
	}
}

static json_t *number_or_null(bool is_there, uint64_t value)
{
	return is_there ? json_integer((json_int_t)value) : json_null();
}

json_t *steps_json(const struct lab_step *step, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; list && i < count; i++) {
		const struct lab_step *s = &step[i];
		bool access = s->word[0] != '\0';
		json_t *row = json_pack("{si si ss ss ss? so so sb ss? sb}",
					"step", (int)s->step, "process",
					(int)s->process, "label", s->label,
					"action", s->action, "word",
					access ? s->word : NULL, "old",
					number_or_null(access, s->old), "new",
					number_or_null(access, s->new),
					"changed", s->changed, "event",
					s->event[0] ? s->event : NULL, "loop",
					s->is_loop);

		if (json_array_append_new(list, row) != 0) {
			json_decref(list);
			list = NULL;
		}
	}
	return list;
}
