/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-hasty-reader: a process reads a wait-free object and ignores that an
 * operation disturbed the read.
 *
 * Refused by linearizable: the process reads a torn state.
 */
#include "algorithm.h"

static bool reads_well(bool again)
{
	(void)again;
	return true;
}

#include "counter_reader.h"

const struct algorithm toy_hasty_reader = {
	.name = "toy-hasty-reader",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.invariant = invariant,
	.object = {
		.apply = apply_or_read, .specification = specification,
		.operations = 2,
	},
	.bounds = { .apply_steps = apply_steps, .finish_steps = finish_steps },
};
