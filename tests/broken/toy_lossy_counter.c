/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-lossy-counter: fetch-and-increment as a read and a write.
 *
 * Refused by linearizable: two increments return the same number.
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
	struct word *count = shared;
	uint64_t v;

A1:	v = mem_read(count);
	if (self->operation == 1)
		return v;
A2:	mem_write(count, v + 1);
	return v;
}

/* Operation 0 counts, operation 1 reads. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)argument;
	*state += operation == 0;
	return before;
}

const struct algorithm toy_lossy_counter = {
	.name = "toy-lossy-counter",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = NO_DEADLOCK,
	.primitives = USES_READ_WRITE,
	.limits = { .most_n = 4 },
	.words = words, .init = init,
	.object = {
		.apply = apply, .specification = specification, .operations = 2,
	},
};
