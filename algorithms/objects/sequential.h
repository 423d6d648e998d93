/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a small object that lets the checker detect mistakes of the
 * construction.  Before a file includes this header, it defines the function
 * `specification`, which says what the operations do.  The state is one word,
 * which is initially 0.
 *
 * The state v is stored as (v, 2v), and an operation and its argument both
 * carry the operation's tag.  So f recognizes a torn state and a torn or stale
 * announcement.  In these cases f spoils the state that it was called with.
 * The caller of f writes the spoilt state into a record, published or not,
 * where the invariant finds it.
 */
#ifndef ATMOST_SEQUENTIAL_H
#define ATMOST_SEQUENTIAL_H

#include "wait_free.h"

enum { STATE = 2, ARGUMENTS = 1, RESULTS = 1 };
enum { TAG_ID_BITS = 12, SMALL_BITS = 8, SMALL = (1 << SMALL_BITS) - 1 };

static const uint64_t SPOILT = UINT64_MAX;

/* Returns a tag that was never used before, made of an id and the number of
 * operations of this id.  The two are added, not joined with |, because id + 1
 * may be 4096, which needs 13 bits. */
static inline uint64_t tag_of(unsigned id, uint64_t count)
{
	return (count << TAG_ID_BITS) + id + 1;
}

/* Returns a small operation or argument together with its tag. */
static inline uint64_t tagged(uint64_t tag, uint64_t small)
{
	return tag << SMALL_BITS | (small & SMALL);
}

static inline void f(void *context, uint64_t *state, uint64_t operation,
		     const uint64_t *argument, uint64_t *result)
{
	uint64_t v = state[0];

	(void)context;
	if (state[1] != 2 * v || operation >> SMALL_BITS == 0 ||
	    operation >> SMALL_BITS != argument[0] >> SMALL_BITS) {
		state[0] = state[1] = SPOILT;
		result[0] = 0;
		return;
	}
	result[0] = specification(&v, operation & SMALL, argument[0] & SMALL);
	state[0] = v;
	state[1] = 2 * v;
}

static inline struct object object_of(unsigned names, struct word *words,
				      uint64_t *own)
{
	return (struct object){
		.names = names,
		.state = STATE,
		.arguments = ARGUMENTS,
		.results = RESULTS,
		.f = f,
		.words = words,
		.own = own,
	};
}

/* Applies the operation of self and returns its result, or WITHDRAWN if the
 * name is out of range or the words are damaged. */
static inline uint64_t apply_tagged(const struct object *o, unsigned name,
				    const struct process *self, uint64_t tag)
{
	uint64_t argument = tagged(tag, self->argument), result = 0;

	if (name >= o->names ||
	    !wait_free_apply(o, name, tag, tagged(tag, self->operation),
			     &argument, &result))
		return WITHDRAWN;
	return result;
}

/* If the dead victim, which held `name`, has announced the operation `tag`,
 * completes this operation, writes its result to victim->argument and returns
 * true. */
static inline bool finish_tagged(const struct object *o, unsigned name,
				 struct process *victim, uint64_t tag)
{
	uint64_t last = 0, result = 0;

	if (name >= o->names ||
	    !wait_free_recover(o, name, false, &last, &result) || last != tag)
		return false;
	victim->argument = result;
	return true;
}

/*
 * Returns whether the published state is whole and no record has a spoilt
 * state.
 */
static inline bool is_sound(const struct object *o)
{
	uint64_t current = mem_peek(current_of(o));
	struct word *state;

	if (is_damaged(o, current))
		return false;
	for (unsigned r = 0; r <= 2 * o->names; r++)
		if (mem_peek(record_of(o, r) + 1) == SPOILT)
			return false;
	state = record_of(o, index_of(current));
	return mem_peek(state + 1) == 2 * mem_peek(state);
}

#endif
