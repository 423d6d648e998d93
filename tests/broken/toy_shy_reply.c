/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-shy-reply: an object behind the lock of toy-after-you.  Its operations
 * make no step, so in no state is a process between getting in and leaving.
 *
 * Refused by no-deadlock: two processes can keep each other out for ever.
 */
#include "algorithm.h"
#include "after_you.h"

static uint64_t apply(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return 0;
}

static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	(void)state;
	(void)operation;
	(void)argument;
	return 0;
}

const struct algorithm toy_shy_reply = {
	.name = "toy-shy-reply",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = LINEARIZABLE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.limits = { .most_n = 4 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.object = {
		.apply = apply, .specification = specification, .operations = 1,
	},
};
