/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-object-withdrawn: a wait-free counter whose recovery withdraws the
 * pending operation of the dead process.  Not broken: the operation has taken
 * effect or never will, and recovery says which.
 */
#include "algorithm.h"

static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)operation;
	*state += argument;
	return before;
}

#include "objects/by_id.h"

static bool withdraw(void *shared, struct process *victim)
{
	struct object o = by_id(shared, victim->shape,
				   victim->own + OWN_PERSISTENT);
	uint64_t tag = 0, result = 0;

	if (!wait_free_recover(&o, victim->id, true, &tag, &result))
		return false;
	victim->argument = result;
	return tag == tag_of(victim->id, mem_own_read(victim, OWN_COUNT)) &&
	       result != WITHDRAWN;
}

static unsigned withdraw_steps(const struct shape *shape)
{
	return finish_steps(shape) + 1;
}

const struct algorithm toy_object_withdrawn = {
	.name = "toy-object-withdrawn",
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
		.apply = apply, .finish = withdraw,
		.specification = specification, .operations = 1,
	},
	.bounds = {
		.apply_steps = apply_steps, .finish_steps = withdraw_steps,
	},
};
