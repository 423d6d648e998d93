/* SPDX-License-Identifier: BSD-2-Clause */
#include "linear.h"

#include "explanations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = 64 /* pending operations at the same time */ };

struct event {
	uint64_t stamp;
	size_t operation;
	bool end;
};

struct search {
	const struct model *model;
	unsigned capacity;
	const struct linear_operation *history;
	size_t open[OPEN];       /* the pending operation of each bit */
	uint64_t taken;          /* bits in use */
	struct explanations now; /* explanations of all events so far */
	struct explanations next;
	struct explanations ways; /* still to extend when an operation ends */
	uint64_t *scratch;
};

static int by_stamp(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return (x->stamp > y->stamp) - (x->stamp < y->stamp);
}

static struct event *sort(const struct linear_operation *history, size_t count,
			  size_t *events)
{
	struct event *all = malloc((2 * count + 1) * sizeof *all);

	if (!all)
		abort();
	*events = 0;
	for (size_t i = 0; i < count; i++) {
		all[(*events)++] = (struct event){ history[i].invoked, i,
						   false };
		if (history[i].ended != LINEAR_NEVER)
			all[(*events)++] = (struct event){ history[i].ended, i,
							   true };
	}
	qsort(all, *events, sizeof *all, by_stamp);
	return all;
}

static unsigned bit_of(const struct search *s, size_t operation)
{
	unsigned bit = 0;

	while (!(s->taken >> bit & 1) || s->open[bit] != operation)
		bit++;
	return bit;
}

/* Applies the operation of this bit to the explanation `from` and stores the
 * new explanation in scratch.  Returns false if the operation would have
 * returned another result. */
static bool happens(struct search *s, const uint64_t *from, unsigned bit)
{
	const struct linear_operation *o = &s->history[s->open[bit]];
	uint64_t result[MODEL_WORDS] = { 0 };

	memcpy(s->scratch, from, s->now.words * sizeof *from);
	s->scratch[0] |= UINT64_C(1) << bit;
	s->model->apply(s->scratch + 1, s->capacity, o->operation, o->argument,
			result);
	return !o->returned || memcmp(result, o->result,
				      s->model->results * sizeof *result) == 0;
}

/* Adds scratch to the next explanations, without the bit of the ended
 * operation. */
static bool keep(struct search *s, unsigned bit)
{
	s->scratch[0] &= ~(UINT64_C(1) << bit);
	return explanations_add(&s->next, s->scratch);
}

/* Extends explanation `way` by each pending operation that has not happened in
 * it.  Operation `bit` has just ended: an explanation in which this operation
 * has happened is complete, and goes to `next`. */
static bool extend(struct search *s, size_t way, unsigned bit)
{
	for (unsigned other = 0; other < OPEN; other++) {
		const uint64_t *from = explanations_at(&s->ways, way);

		if (!((s->taken & ~from[0]) >> other & 1) ||
		    !happens(s, from, other))
			continue;
		if (other == bit ? !keep(s, bit)
				 : !explanations_add(&s->ways, s->scratch))
			return false;
	}
	return true;
}

/* When operation `bit` ends, puts explanation `e` into `next`, into `ways`, or
 * into both. */
static bool take_over(struct search *s, const uint64_t *e, unsigned bit,
		      bool returned)
{
	const bool happened = e[0] >> bit & 1;

	memcpy(s->scratch, e, s->now.words * sizeof *e);
	if ((happened || !returned) && !keep(s, bit))
		return false;
	return happened || explanations_add(&s->ways, e);
}

static enum linear_verdict end(struct search *s, size_t operation)
{
	const unsigned bit = bit_of(s, operation);
	struct explanations swap;

	explanations_clear(&s->next);
	explanations_clear(&s->ways);
	for (size_t i = 0; i < s->now.count; i++)
		if (!take_over(s, explanations_at(&s->now, i), bit,
			       s->history[operation].returned))
			return TOO_LARGE;
	for (size_t i = 0; i < s->ways.count; i++)
		if (!extend(s, i, bit))
			return TOO_LARGE;
	swap = s->now;
	s->now = s->next;
	s->next = swap;
	s->taken &= ~(UINT64_C(1) << bit);
	return s->now.count > 0 ? LINEARIZABLE : NOT_LINEARIZABLE;
}

static enum linear_verdict begin(struct search *s, size_t operation)
{
	for (unsigned bit = 0; bit < OPEN; bit++)
		if (!(s->taken >> bit & 1)) {
			s->taken |= UINT64_C(1) << bit;
			s->open[bit] = operation;
			return LINEARIZABLE;
		}
	return TOO_LARGE;
}

static struct linear_report run(struct search *s, const struct event *event,
				size_t events)
{
	struct linear_report report = { LINEARIZABLE, 0, 1 };

	for (size_t i = 0; i < events; i++) {
		report.verdict = event[i].end ? end(s, event[i].operation)
					      : begin(s, event[i].operation);
		if (s->ways.count > report.most)
			report.most = s->ways.count;
		report.culprit = event[i].operation;
		if (report.verdict != LINEARIZABLE)
			break;
	}
	return report;
}

struct linear_report linear_check(const struct model *model, unsigned capacity,
				  const struct linear_operation *history,
				  size_t count)
{
	const size_t words = 1 + model->words(capacity);
	struct search s = { .model = model,
			    .capacity = capacity,
			    .history = history };
	struct linear_report report;
	size_t events;
	struct event *event = sort(history, count, &events);

	explanations_make(&s.now, words);
	explanations_make(&s.next, words);
	explanations_make(&s.ways, words);
	s.scratch = calloc(words, sizeof *s.scratch);
	if (!s.scratch || !explanations_add(&s.now, s.scratch))
		abort();
	report = run(&s, event, events);
	explanations_free(&s.now);
	explanations_free(&s.next);
	explanations_free(&s.ways);
	free(s.scratch);
	free(event);
	return report;
}

static void print_one(const struct model *model,
		      const struct linear_operation *o)
{
	printf("  from %ju", (uintmax_t)o->invoked);
	if (o->ended == LINEAR_NEVER)
		printf(", no end");
	else
		printf(" to %ju", (uintmax_t)o->ended);
	printf(": %s %ju %ju", model->operation[o->operation],
	       (uintmax_t)o->argument[0], (uintmax_t)o->argument[1]);
	if (o->returned)
		printf(" = %ju %ju\n", (uintmax_t)o->result[0],
		       (uintmax_t)o->result[1]);
	else
		printf(", perhaps\n");
}

void linear_print(const struct model *model,
		  const struct linear_operation *history, size_t count,
		  size_t culprit)
{
	const struct linear_operation *late = &history[culprit];

	printf("no order of a %s's operations explains this operation:\n",
	       model->name);
	print_one(model, late);
	printf("these operations overlap it:\n");
	for (size_t i = 0; i < count; i++)
		if (i != culprit && history[i].invoked < late->ended &&
		    history[i].ended > late->invoked)
			print_one(model, &history[i]);
}
