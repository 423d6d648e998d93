/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-polite: a process raises its flag and waits until no other flag is up.
 *
 * Refused by no-deadlock: two processes with raised flags wait for each other;
 * at-most-k and bounded-leave hold.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	return shape->n;
}

static void init(void *shared, const struct shape *shape)
{
	struct word *flag = shared;

	for (unsigned i = 0; i < shape->n; i++)
		mem_name(&flag[i], "flag", i);
}

static int enter(void *shared, struct process *self)
{
	struct word *flag = shared;
	uint64_t v;

F1:	mem_write(&flag[self->id], 1);
	for (unsigned j = 0; j < self->shape->n; j++)
		if (j != self->id)
F2:			await(v, &flag[j], v == 0);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct word *flag = shared;

F3:	mem_write(&flag[self->id], 0);
	mem_wake(&flag[self->id]);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_polite = {
	.name = "toy-polite",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .leave_steps = one_step },
};
