/* SPDX-License-Identifier: BSD-2-Clause */
/* toy-true-counter: fetch-and-increment as one step.  Not broken: it shows that
 * linearizable does not refuse every counter. */
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

	if (self->operation == 1) {
A1:		v = mem_read(count);
		return v;
	}
A2:	v = mem_add(count, 1);
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

const struct algorithm toy_true_counter = {
	.name = "toy-true-counter",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = LINEARIZABLE | NO_DEADLOCK,
	.primitives = USES_ADD,
	.limits = { .most_n = 4 },
	.words = words, .init = init,
	.object = {
		.apply = apply, .specification = specification, .operations = 2,
	},
};
