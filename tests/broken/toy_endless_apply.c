/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-endless-apply: an operation never ends if another process has changed the
 * word.
 *
 * Refused by no-starvation, no-deadlock and bounded-apply.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "last");
}

static uint64_t apply(void *shared, struct process *self)
{
	struct word *last = shared;
	uint64_t v;

A1:	mem_write(last, self->id + 1);
	do
A2:		v = mem_read(last);
	while (v != self->id + 1);
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

static unsigned three_steps(const struct shape *shape)
{
	(void)shape;
	return 3;
}

const struct algorithm toy_endless_apply = {
	.name = "toy-endless-apply",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK | NO_STARVATION | LINEARIZABLE,
	.primitives = USES_READ_WRITE,
	.finite_state = true, .retries = true,
	.limits = { .most_n = 4 },
	.words = words, .init = init,
	.object = {
		.apply = apply, .specification = specification, .operations = 1,
	},
	.bounds = { .apply_steps = three_steps },
};
