/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-counting-apply: an operation counts for ever.
 *
 * Refused by bounded-apply.
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
	mem_name((struct word *)shared, "count");
}

static uint64_t apply(void *shared, struct process *self)
{
	uint64_t v;

	(void)self;
	do {
E1:		v = mem_add((struct word *)shared, 1);
	} while (v != UINT64_MAX);
	return 0;
}

static unsigned apply_steps(const struct shape *shape)
{
	(void)shape;
	return 4;
}

static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	(void)state;
	(void)operation;
	(void)argument;
	return 0;
}

const struct algorithm toy_counting_apply = {
	.name = "toy-counting-apply",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = LINEARIZABLE | BOUNDED_APPLY,
	.primitives = USES_ADD,
	.limits = { .most_n = 4 },
	.words = words, .init = init,
	.object = {
		.apply = apply, .specification = specification, .operations = 1,
	},
	.bounds = { .apply_steps = apply_steps },
};
