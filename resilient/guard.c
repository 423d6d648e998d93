/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trying an operation before anybody else can see it: a function that writes
 * where it may not is found out, and one that crashes takes only its caller
 * with it, which holds nothing yet.
 */
#include "resilient/resilient.h"

#include "runtime/error.h"

#include <stdlib.h>
#include <string.h>

enum { GUARDS = 8 /* words */, TRIES = 1000 };
enum { PATTERN = 0xa5 };

/* state: guards, the copy, guards; result: the same. */
struct trial {
	uint64_t *memory;
	unsigned char *state, *result;
	size_t words; /* of the state */
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
 * The state as it is.  If others do not let us have one that is whole, any will
 * do: the function answers every state.
 */
static bool copy(struct atmost *object, struct trial *t)
{
	bool again = true;

	for (unsigned i = 0; again && i < TRIES; i++)
		if (!object->algorithm->object.read(object_words(object),
						    &object->shape,
						    t->memory + GUARDS, &again))
			return false;
	/* What fills up the last word is behind the state, too. */
	memset(t->state + object->form.size, PATTERN,
	       t->words * sizeof *t->memory - object->form.size);
	return true;
}

static int run(struct atmost *object, struct trial *t, uint64_t operation,
	       const uint64_t *argument)
{
	const struct form *form = &object->form;
	const size_t guard = GUARDS * sizeof *t->memory;
	const size_t results = form->type.results * sizeof *t->memory;
	const unsigned char *behind = t->state + form->size;

	memset(t->result, 0, results);
	form->apply(t->state, form->size, operation, argument,
		    (uint64_t *)(void *)t->result);
	if (!is_untouched(t->state - guard, guard) ||
	    !is_untouched(behind, (size_t)(t->result - behind)))
		return error_say(
			ATMOST_EOVERRUN,
			"%s, operation %ju: the function writes beyond "
			"its state of %zu bytes",
			form->name, (uintmax_t)operation, form->size);
	if (!is_untouched(t->result + results, guard))
		return error_say(ATMOST_EOVERRUN,
				 "%s, operation %ju: the function writes more "
				 "than %u results",
				 form->name, (uintmax_t)operation,
				 form->type.results);
	return 0;
}

int guard_try(struct atmost *object, uint64_t operation,
	      const uint64_t *argument)
{
	struct trial t;
	int error;

	if (!prepare(&t, &object->form.type))
		return error_is(ATMOST_ENOMEM);
	error = copy(object, &t) ? run(object, &t, operation, argument)
				 : error_is(ATMOST_ECORRUPT);
	free(t.memory);
	return error;
}
