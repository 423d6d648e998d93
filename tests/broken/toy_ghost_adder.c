/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-ghost-adder: an operation adds its argument to a counter.  During or
 * after a resize it returns a number that would be right if the resizer had
 * added 2.
 *
 * Refused by linearizable if the last of two processes resizes: a resize is not
 * an operation of the object, so no operation has added 2.
 */
#include "algorithm.h"

struct ghost {
	struct word count, haunted;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct ghost);
}

static void init(void *shared, const struct shape *shape)
{
	struct ghost *g = shared;

	(void)shape;
	mem_name(&g->count, "count");
	mem_name(&g->haunted, "haunted");
}

static uint64_t apply(void *shared, struct process *self)
{
	struct ghost *g = shared;
	uint64_t haunted, v;

G1:	haunted = mem_read(&g->haunted);
G2:	v = mem_add(&g->count, self->argument);
	return v + 2 * haunted;
}

static void resize(void *shared, const struct shape *shape, unsigned k)
{
	struct ghost *g = shared;

	(void)shape;
	(void)k;
G3:	mem_write(&g->haunted, 1);
}

static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	(void)operation;
	*state += argument;
	return before;
}

const struct algorithm toy_ghost_adder = {
	.name = "toy-ghost-adder",
	.source = "toy",
	.kind = KIND_OBJECT,
	.promises = LINEARIZABLE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_n = 4 },
	.words = words, .init = init, .resize = resize,
	.object = {
		.apply = apply, .specification = specification, .operations = 1,
	},
};
