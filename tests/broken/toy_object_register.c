/* SPDX-License-Identifier: BSD-2-Clause */
/* toy-object-register: a register made with the construction of
 * wait-free-object.  Not broken: it shows that the construction also works for
 * objects other than counters. */
#include "algorithm.h"

/* Operation 0 writes and returns the old value, operation 1 reads. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	*state = operation == 0 ? argument : before;
	return before;
}

#include "objects/by_id.h"

const struct algorithm toy_object_register = {
	.name = "toy-object-register",
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
