/* SPDX-License-Identifier: BSD-2-Clause */
/* The wait-free object, for others to be made of: see construction.h. */
#ifndef ATMOST_WAIT_FREE_CONSTRUCTION_H
#define ATMOST_WAIT_FREE_CONSTRUCTION_H

#include "wait_free.h"

static inline struct wait_free made_of(const struct object *object)
{
	return (struct wait_free){
		.names = object->names,
		.state = object->state,
		.arguments = object->arguments,
		.results = object->results,
		.f = object->f,
		.context = object->context,
		.words = object->words,
		.own = object->own,
	};
}

static size_t made_words(const struct object *object)
{
	struct wait_free o = made_of(object);

	return wait_free_words(&o);
}

static unsigned made_own(const struct object *object)
{
	struct wait_free o = made_of(object);

	return wait_free_own(&o);
}

static void made_init(const struct object *object)
{
	struct wait_free o = made_of(object);

	wait_free_init(&o);
}

static struct word *made_first(const struct object *object)
{
	struct wait_free o = made_of(object);

	return first_state(&o);
}

static bool made_apply(const struct object *object, unsigned name, uint64_t tag,
		       uint64_t operation, const uint64_t *argument,
		       uint64_t *result)
{
	struct wait_free o = made_of(object);

	return wait_free_apply(&o, name, tag, operation, argument, result);
}

static bool made_recover(const struct object *object, unsigned name,
			 uint64_t *tag, uint64_t *result)
{
	struct wait_free o = made_of(object);

	return wait_free_recover(&o, name, false, tag, result);
}

static bool made_read(const struct object *object, unsigned first,
		      unsigned count, uint64_t *state, bool *again)
{
	struct wait_free o = made_of(object);

	return wait_free_read(&o, first, count, state, again);
}

/*
 * Whichever record is published, or is being made again since: it has the same
 * word, for all that begin to make one copy it.  So nothing is looked at twice,
 * as with one's own result.
 */
static bool made_settled(const struct object *object, unsigned at,
			 uint64_t *word)
{
	struct wait_free o = made_of(object);
	uint64_t l;

L13s:	l = mem_read(current_of(&o));
	if (is_damaged(&o, l))
		return false;
L14s:	*word = mem_read(record_of(&o, index_of(l)) + at);
	return true;
}

/* It must end while others publish and publish: then any word will do. */
static bool made_peek(const struct object *object, unsigned at, uint64_t *word)
{
	struct wait_free o = made_of(object);
	uint64_t l;

	for (unsigned tries = 0; tries < 4; tries++) {
		l = mem_peek(current_of(&o));
		if (is_damaged(&o, l))
			return false;
		*word = mem_peek(record_of(&o, index_of(l)) + at);
		if (mem_peek(current_of(&o)) == l)
			break;
	}
	return true;
}

static bool made_quiet(const struct object *object)
{
	struct wait_free o = made_of(object);

	return wait_free_quiet(&o);
}

static unsigned made_apply_steps(const struct object *object)
{
	struct wait_free o = made_of(object);

	return wait_free_apply_steps(&o);
}

static unsigned made_read_steps(const struct object *object, unsigned count)
{
	(void)object;
	return count + 2;
}

static const struct construction wait_free_construction = {
	.most_names = MOST_NAMES,
	.words = made_words, .own = made_own, .init = made_init,
	.first = made_first, .apply = made_apply, .recover = made_recover,
	.read = made_read, .settled = made_settled, .peek = made_peek,
	.quiet = made_quiet, .apply_steps = made_apply_steps,
	.read_steps = made_read_steps, .settled_steps = 2,
};

#endif
