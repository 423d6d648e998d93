/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes an object whose operations are large steps; no machine has such steps.
 * The words of the object are the state and, for each name, the tag and the
 * results of the last operation under that name.
 */
#ifndef ATMOST_ATOMIC_H
#define ATMOST_ATOMIC_H

#include "algorithm.h"

static inline struct word *tag_of_name(const struct object *o, unsigned name)
{
	return o->words + o->state + name * (1 + o->results);
}

static inline size_t large_words(const struct object *o)
{
	return o->state + (size_t)o->names * (1 + o->results);
}

/* The number of own words that a large step needs: a copy of the state, and the
 * results. */
static inline unsigned large_own(const struct object *o)
{
	return o->state + o->results;
}

static inline void large_init(const struct object *o)
{
	for (size_t i = 0; i < large_words(o); i++)
		mem_poke(o->words + i, 0);
	for (unsigned w = 0; w < o->state; w++)
		mem_name(o->words + w, "state", w);
	for (unsigned p = 0; p < o->names; p++) {
		mem_name(tag_of_name(o, p), "tag", p);
		for (unsigned r = 0; r < o->results; r++)
			mem_name(tag_of_name(o, p) + 1 + r, "result", p, r);
	}
}

static inline struct word *large_first(const struct object *o)
{
	return o->words;
}

/* The arguments of a large step.  mem_atomic passes a struct process, so the
 * arguments begin with one. */
struct deed {
	struct process process;
	const struct object *object;
	uint64_t name, tag, operation;
	const uint64_t *argument;
	uint64_t first, count;
	uint64_t *state;
};

static inline uint64_t operate(void *shared, struct process *self)
{
	const struct deed *d = (const struct deed *)self;
	const struct object *o = d->object;
	struct word *done = tag_of_name(o, (unsigned)d->name);
	uint64_t *result = o->own + o->state;

	(void)shared;
	for (unsigned w = 0; w < o->state; w++)
		o->own[w] = mem_peek(o->words + w);
	o->f(o->context, o->own, d->operation, d->argument, result);
	for (unsigned w = 0; w < o->state; w++)
		if (o->own[w] != mem_peek(o->words + w))
			mem_poke(o->words + w, o->own[w]);
	mem_poke(done, d->tag);
	for (unsigned r = 0; r < o->results; r++)
		mem_poke(done + 1 + r, result[r]);
	mem_dead(o->own, large_own(o));
	return 0;
}

static inline bool large_apply(const struct object *o, unsigned name,
				uint64_t tag, uint64_t operation,
				const uint64_t *argument, uint64_t *result)
{
	struct deed d = {
		.object = o,
		.name = name,
		.tag = tag,
		.operation = operation,
		.argument = argument,
	};

A2:	mem_atomic(operate, o->words, &d.process);
	for (unsigned r = 0; r < o->results; r++)
A3:		result[r] = mem_read(tag_of_name(o, name) + 1 + r);
	return true;
}

static inline bool large_recover(const struct object *o, unsigned name,
				  uint64_t *tag, uint64_t *result)
{
F1:	*tag = mem_read(tag_of_name(o, name));
	for (unsigned r = 0; r < o->results; r++)
F2:		result[r] = mem_read(tag_of_name(o, name) + 1 + r);
	return true;
}

static inline uint64_t look_at_all(void *shared, struct process *self)
{
	const struct deed *d = (const struct deed *)self;

	(void)shared;
	for (uint64_t w = 0; w < d->count; w++)
		d->state[w] = mem_peek(d->object->words + d->first + w);
	return 0;
}

/* If count is 1, reads the word by an ordinary step, because the checker would
 * count a large step in a poll as a change of a word. */
static inline bool large_read(const struct object *o, unsigned first,
			       unsigned count, uint64_t *state, bool *again)
{
	struct deed d = {
		.object = o,
		.first = first,
		.count = count,
		.state = state,
	};

	*again = false;
	if (count == 1)
B1:		*state = mem_read(o->words + first);
	else
B2:		mem_atomic(look_at_all, o->words, &d.process);
	return true;
}

static inline uint64_t large_settled(const struct object *o, unsigned at)
{
	uint64_t word;

B3:	word = mem_read(o->words + at);
	return word;
}

static inline bool large_peek(const struct object *o, unsigned at,
			       uint64_t *word)
{
	*word = mem_peek(o->words + at);
	return true;
}

static inline bool large_quiet(const struct object *o)
{
	(void)o;
	return true;
}

static inline unsigned large_apply_steps(const struct object *o)
{
	return 1 + o->results;
}

static inline unsigned large_read_steps(const struct object *o, unsigned count)
{
	(void)o;
	(void)count;
	return 1;
}

static const struct construction atomic_construction = {
	.most_names = 4096,
	.words = large_words, .own = large_own, .init = large_init,
	.first = large_first, .apply = large_apply,
	.recover = large_recover, .read = large_read,
	.settled = large_settled, .peek = large_peek, .quiet = large_quiet,
	.apply_steps = large_apply_steps, .read_steps = large_read_steps,
	.settled_steps = 1,
};

#endif
