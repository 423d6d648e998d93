/* SPDX-License-Identifier: BSD-2-Clause */
#include "balance.h"

#include "atmost/resilient.h"

#include <stdlib.h>
#include <string.h>

struct balance {
	uint64_t *in, *out;
	size_t ins, outs;
};

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void in(struct balance *l, uint64_t value)
{
	l->in[l->ins++] = value;
}

static void out(struct balance *l, uint64_t value)
{
	l->out[l->outs++] = value;
}

/* An operation that changes a number takes the old number out and puts the new
 * one in. */
static void enter_number(struct balance *l, unsigned which,
			 const struct entry *e)
{
	if (which == COUNTER && e->operation == ATMOST_COUNTER_ADD) {
		out(l, e->result[0]);
		in(l, e->result[0] + e->argument[0]);
	} else if (which == REGISTER && e->result[0] &&
		   e->operation != ATMOST_REGISTER_READ) {
		out(l, e->result[1]);
		in(l, e->operation == ATMOST_REGISTER_ADD
			      ? e->result[1] + e->argument[0]
		      : e->operation == ATMOST_REGISTER_WRITE ? e->argument[0]
							      : e->argument[1]);
	}
}

static void enter_list(struct balance *l, const struct entry *e)
{
	/* The operations of queues and stacks have the same numbers. */
	_Static_assert((int)ATMOST_QUEUE_PUT == (int)ATMOST_STACK_PUSH &&
			       (int)ATMOST_QUEUE_TAKE == (int)ATMOST_STACK_POP,
		       "");
	if (e->operation == ATMOST_QUEUE_PUT && e->result[0])
		in(l, e->argument[0]);
	else if (e->operation == ATMOST_QUEUE_TAKE && e->result[0])
		out(l, e->result[1]);
}

static void enter_map(struct balance *l, const struct entry *e)
{
	if (!e->result[0])
		return;
	if (e->operation == ATMOST_MAP_PUT || e->operation == ATMOST_MAP_ADD)
		in(l, e->argument[1]);
	if ((e->operation == ATMOST_MAP_PUT && e->result[1]) ||
	    e->operation == ATMOST_MAP_REMOVE)
		out(l, e->result[1]);
}

static const struct entry *next(const struct journal *journal, size_t *writer,
				size_t *at)
{
	for (; *writer < WRITERS; ++*writer, *at = 0)
		while (*at < journal->log[*writer].count) {
			const struct entry *e =
				&journal->log[*writer].entry[(*at)++];

			if (e->ended)
				return e;
		}
	return NULL;
}

/*
 * Returns the last entry of the journal, which was made when the object was
 * emptied.
 */
static const struct entry *last(const struct journal *journal)
{
	const struct entry *e, *latest = NULL;

	for (size_t w = 0, i = 0; (e = next(journal, &w, &i)) != NULL;)
		if (!latest || e->ended > latest->ended)
			latest = e;
	return latest;
}

/* Returns whether a sorted list has a value twice. */
static bool repeats(const uint64_t *value, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (value[i] == value[i - 1])
			return true;
	return false;
}

static const char *compare(struct balance *l, unsigned which)
{
	qsort(l->in, l->ins, sizeof *l->in, ascending);
	qsort(l->out, l->outs, sizeof *l->out, ascending);
	/* An addition may give a register a value that another operation stored
	 * as well. */
	if (which != REGISTER && repeats(l->out, l->outs))
		return "a value came out twice";
	if (which != REGISTER && repeats(l->in, l->ins))
		return "a value went in twice";
	if (l->ins > l->outs)
		return "a value was lost";
	if (l->ins < l->outs)
		return "a value came out that never went in";
	if (memcmp(l->in, l->out, l->ins * sizeof *l->in) != 0)
		return "the values that came out are not those that went in";
	return NULL;
}

static const char *compare_values(const struct journal *journal, unsigned which)
{
	const size_t room = 2 * journal_count(journal) + 2;
	struct balance l = { .in = calloc(room, sizeof *l.in),
			     .out = calloc(room, sizeof *l.out) };
	const struct entry *e;
	const char *wrong;

	if (!l.in || !l.out)
		abort();
	for (size_t w = 0, i = 0; (e = next(journal, &w, &i)) != NULL;)
		if (which <= REGISTER)
			enter_number(&l, which, e);
		else if (which <= STACK)
			enter_list(&l, e);
		else
			enter_map(&l, e);
	if (which <= REGISTER) {
		in(&l, 0);
		out(&l, last(journal)->result[which == REGISTER]);
	}
	wrong = compare(&l, which);
	free(l.in);
	free(l.out);
	return wrong;
}

static const char *add_up(const struct journal *journal)
{
	const struct entry *e;
	uint64_t sum = 0;

	for (size_t w = 0, i = 0; (e = next(journal, &w, &i)) != NULL;)
		if (e->operation == ATMOST_COUNTER_ADD)
			sum += e->argument[0];
	return sum == last(journal)->result[0] ? NULL : "the sum is wrong";
}

/* A producer puts ascending values.  Checks that they were taken in that order:
 * the take of a larger value may not have ended before the take of a smaller
 * value began. */
static const char *keep_order(const struct journal *journal, size_t producer)
{
	static uint64_t begun[ENTRIES + 1], ended[ENTRIES + 1];
	const struct entry *e;
	uint64_t latest = 0;

	memset(begun, 0, sizeof begun);
	for (size_t w = 0, i = 0; (e = next(journal, &w, &i)) != NULL;)
		if (e->operation == ATMOST_QUEUE_TAKE && e->result[0] &&
		    e->result[1] >> 32 == producer + 1) {
			size_t at = e->result[1] % (1U << 31);

			if (at > ENTRIES)
				return "a value that no worker put";
			begun[at] = e->invoked;
			ended[at] = e->ended;
		}
	for (size_t at = 0; at <= ENTRIES; at++) {
		if (begun[at] && ended[at] < latest)
			return "a later value was taken first";
		if (begun[at] > latest)
			latest = begun[at];
	}
	return NULL;
}

const char *balance_check(const struct journal *journal, unsigned which)
{
	const char *wrong = which == COUNTER ? add_up(journal) : NULL;

	if (!wrong)
		wrong = compare_values(journal, which);
	for (size_t i = 0; !wrong && which == QUEUE && i < WRITERS; i++)
		wrong = keep_order(journal, i);
	return wrong;
}
