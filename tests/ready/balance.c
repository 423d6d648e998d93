/* SPDX-License-Identifier: BSD-2-Clause */
#include "ledger.h"

#include "atmost/resilient.h"

#include <stdlib.h>
#include <string.h>

struct ledger {
	uint64_t *in, *out;
	size_t ins, outs;
};

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void in(struct ledger *l, uint64_t value)
{
	l->in[l->ins++] = value;
}

static void out(struct ledger *l, uint64_t value)
{
	l->out[l->outs++] = value;
}

/* A number: who changes it takes out what was there, and puts in what is. */
static void enter_number(struct ledger *l, unsigned which,
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

static void enter_list(struct ledger *l, const struct entry *e)
{
	/* Those of a stack have the same numbers. */
	_Static_assert((int)ATMOST_QUEUE_PUT == (int)ATMOST_STACK_PUSH &&
			       (int)ATMOST_QUEUE_TAKE == (int)ATMOST_STACK_POP,
		       "");
	if (e->operation == ATMOST_QUEUE_PUT && e->result[0])
		in(l, e->argument[0]);
	else if (e->operation == ATMOST_QUEUE_TAKE && e->result[0])
		out(l, e->result[1]);
}

static void enter_map(struct ledger *l, const struct entry *e)
{
	if (!e->result[0])
		return;
	if (e->operation == ATMOST_MAP_PUT || e->operation == ATMOST_MAP_ADD)
		in(l, e->argument[1]);
	if ((e->operation == ATMOST_MAP_PUT && e->result[1]) ||
	    e->operation == ATMOST_MAP_REMOVE)
		out(l, e->result[1]);
}

static const struct entry *next(const struct book *book, size_t *writer,
				size_t *at)
{
	for (; *writer < WRITERS; ++*writer, *at = 0)
		while (*at < book->page[*writer].count) {
			const struct entry *e =
				&book->page[*writer].entry[(*at)++];

			if (e->ended)
				return e;
		}
	return NULL;
}

/* The last answer of all, to who emptied the object. */
static const struct entry *last(const struct book *book)
{
	const struct entry *e, *latest = NULL;

	for (size_t w = 0, i = 0; (e = next(book, &w, &i)) != NULL;)
		if (!latest || e->ended > latest->ended)
			latest = e;
	return latest;
}

/* Twice the same in a list that is sorted. */
static bool repeats(const uint64_t *value, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (value[i] == value[i - 1])
			return true;
	return false;
}

static const char *compare(struct ledger *l, unsigned which)
{
	qsort(l->in, l->ins, sizeof *l->in, ascending);
	qsort(l->out, l->outs, sizeof *l->out, ascending);
	/* To what is in a register one can add what makes it another's. */
	if (which != REGISTER && repeats(l->out, l->outs))
		return "something came out twice";
	if (which != REGISTER && repeats(l->in, l->ins))
		return "something went in twice";
	if (l->ins > l->outs)
		return "something was lost";
	if (l->ins < l->outs)
		return "something came from nowhere";
	if (memcmp(l->in, l->out, l->ins * sizeof *l->in) != 0)
		return "what came out is not what went in";
	return NULL;
}

static const char *balance(const struct book *book, unsigned which)
{
	const size_t room = 2 * book_count(book) + 2;
	struct ledger l = { .in = calloc(room, sizeof *l.in),
			    .out = calloc(room, sizeof *l.out) };
	const struct entry *e;
	const char *wrong;

	if (!l.in || !l.out)
		abort();
	for (size_t w = 0, i = 0; (e = next(book, &w, &i)) != NULL;)
		if (which <= REGISTER)
			enter_number(&l, which, e);
		else if (which <= STACK)
			enter_list(&l, e);
		else
			enter_map(&l, e);
	if (which <= REGISTER) {
		in(&l, 0);
		out(&l, last(book)->result[which == REGISTER]);
	}
	wrong = compare(&l, which);
	free(l.in);
	free(l.out);
	return wrong;
}

static const char *add_up(const struct book *book)
{
	const struct entry *e;
	uint64_t sum = 0;

	for (size_t w = 0, i = 0; (e = next(book, &w, &i)) != NULL;)
		if (e->operation == ATMOST_COUNTER_ADD)
			sum += e->argument[0];
	return sum == last(book)->result[0] ? NULL : "the sum is another one";
}

/* Of one producer, whose values ascend: no take of a later value was over
 * before the take of an earlier one began. */
static const char *keep_order(const struct book *book, size_t producer)
{
	static uint64_t begun[ENTRIES + 1], ended[ENTRIES + 1];
	const struct entry *e;
	uint64_t latest = 0;

	memset(begun, 0, sizeof begun);
	for (size_t w = 0, i = 0; (e = next(book, &w, &i)) != NULL;)
		if (e->operation == ATMOST_QUEUE_TAKE && e->result[0] &&
		    e->result[1] >> 32 == producer + 1) {
			size_t at = e->result[1] % (1U << 31);

			if (at > ENTRIES)
				return "a value that nobody ever put";
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

const char *ledger_check(const struct book *book, unsigned which)
{
	const char *wrong = which == COUNTER ? add_up(book) : NULL;

	if (!wrong)
		wrong = balance(book, which);
	for (size_t i = 0; !wrong && which == QUEUE && i < WRITERS; i++)
		wrong = keep_order(book, i);
	return wrong;
}
