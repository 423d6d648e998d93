/* SPDX-License-Identifier: BSD-2-Clause */
/* toy-object-reader: a process repeats the read of a wait-free object until no
 * operation disturbs it.  Not broken.  Such a read is lock-free but not
 * wait-free, so the number of its steps has no bound. */
#include "algorithm.h"

static bool reads_well(bool again)
{
	return !again;
}

#include "counter_reader.h"

const struct algorithm toy_object_reader = {
	.name = "toy-object-reader",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | LINEARIZABLE | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.retries = true,
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.invariant = invariant,
	.object = {
		.apply = apply_or_read, .specification = specification,
		.operations = 2,
	},
	.bounds = { .apply_steps = apply_steps, .finish_steps = finish_steps },
};
