/* SPDX-License-Identifier: BSD-2-Clause */
/* toy-object-queue: a queue of at most two values, made with the construction
 * of wait-free-object.  Not broken. */
#include "algorithm.h"

enum { PLACE_BITS = 4, PLACE = (1 << PLACE_BITS) - 1, FULL = 100 };

/* Operation 0 appends its argument or returns FULL; operation 1 takes the first
 * value or returns 0.  The first value has the low bits. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t first = *state & PLACE;

	if (operation == 1) {
		*state >>= PLACE_BITS;
		return first;
	}
	if (*state >> PLACE_BITS)
		return FULL;
	*state |= first ? argument << PLACE_BITS : argument;
	return 0;
}

#include "objects/by_id.h"

const struct algorithm toy_object_queue = {
	.name = "toy-object-queue",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | NO_STARVATION | BOUNDED_APPLY | LINEARIZABLE |
		    QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.invariant = invariant,
	.recover = recover,
	.object = {
		.apply = apply, .finish = finish,
		.specification = specification, .operations = 2,
	},
	.bounds = { .apply_steps = apply_steps, .finish_steps = finish_steps },
};
