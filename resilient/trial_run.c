/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In a trial run the caller runs an operation on a private copy of the state
 * before it announces the operation.  The trial detects a function that writes
 * outside its state and results.  If the function crashes in the trial, only
 * the calling process ends, and that process holds nothing yet.
 */
#include "resilient/resilient.h"

#include "runtime/error.h"

#include <stdlib.h>
#include <string.h>

enum { GUARDS = 8 /* words */, TRIES = 1000 };
enum { PATTERN = 0xa5 };

/* The layout of `memory`: guard words, the copy of the state, guard words, the
 * results, guard words. */
struct trial {
	uint64_t *memory;
	unsigned char *state, *result;
	size_t words; /* words of the state */
};

static bool prepare(struct trial *t, const struct object_type *type)
{
	size_t size;

	t->words = type->state;
	size = (3 * GUARDS + t->words + type->results) * sizeof *t->memory;
	t->memory = malloc(size);
	if (!t->memory)
		return false;
	memset(t->memory, PATTERN, size);
	t->state = (unsigned char *)(t->memory + GUARDS);
	t->result = t->state + (GUARDS + t->words) * sizeof *t->memory;
	return true;
}

static bool is_untouched(const unsigned char *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (from[i] != PATTERN)
			return false;
	return true;
}

/*
 * Copies the state.  If other members change the state during every attempt,
 * the copy may be torn.  A torn copy is good enough, because the function must
 * accept every state.
 */
static bool copy(struct atmost *pool, struct trial *t)
{
	bool again = true;

	for (unsigned i = 0; again && i < TRIES; i++)
		if (!pool->algorithm->object.read(pool_words(pool),
						  &pool->shape,
						  t->memory + GUARDS, &again))
			return false;
	/* The bytes between the end of the state and the end of its last word
	 * are guards, too. */
	memset(t->state + pool->type.size, PATTERN,
	       t->words * sizeof *t->memory - pool->type.size);
	return true;
}

static int run(struct atmost *pool, struct trial *t, uint64_t operation,
	       const uint64_t *argument)
{
	const struct named_object_type *type = &pool->type;
	const size_t guard = GUARDS * sizeof *t->memory;
	const size_t results = type->in_words.results * sizeof *t->memory;
	const unsigned char *behind = t->state + type->size;

	memset(t->result, 0, results);
	type->apply(t->state, type->size, operation, argument,
		    (uint64_t *)(void *)t->result);
	if (!is_untouched(t->state - guard, guard) ||
	    !is_untouched(behind, (size_t)(t->result - behind)))
		return error_say(
			ATMOST_EOVERRUN,
			"%s, operation %ju: the function writes outside "
			"its state of %zu bytes",
			type->name, (uintmax_t)operation, type->size);
	if (!is_untouched(t->result + results, guard))
		return error_say(ATMOST_EOVERRUN,
				 "%s, operation %ju: the function writes more "
				 "than %u results",
				 type->name, (uintmax_t)operation,
				 type->in_words.results);
	return 0;
}

int trial_run(struct atmost *pool, uint64_t operation, const uint64_t *argument)
{
	struct trial t;
	int error;

	if (!prepare(&t, &pool->type.in_words))
		return error_is(ATMOST_ENOMEM);
	error = copy(pool, &t) ? run(pool, &t, operation, argument)
			       : error_is(ATMOST_ECORRUPT);
	free(t.memory);
	return error;
}
