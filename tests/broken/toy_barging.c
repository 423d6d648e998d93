/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-barging: the first process that finds the lock free takes it; the order
 * of arrival does not matter.
 *
 * Refused by no-starvation (a fair cycle: one process takes the lock again and
 * again) and by fcfs; at-most-k, no-deadlock and bounded-leave hold.
 */
#include "algorithm.h"

struct barging {
	struct word taken;
	struct word arrivals;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct barging);
}

static void init(void *shared, const struct shape *shape)
{
	struct barging *b = shared;

	(void)shape;
	mem_name(&b->taken, "taken");
	mem_name(&b->arrivals, "arrivals");
}

static int enter(void *shared, struct process *self)
{
	struct barging *b = shared;
	uint64_t v;
	bool was;

	/* This doorway has no effect. */
B0:	v = mem_read(&b->arrivals);
	doorway_ends(self);
	do {
B1:		await(v, &b->taken, v == 0);
B2:		was = mem_tas(&b->taken);
	} while (was);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct barging *b = shared;

	(void)self;
B3:	mem_write(&b->taken, 0);
	mem_wake(&b->taken);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_barging = {
	.name = "toy-barging",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_TAS,
	.finite_state = true, .retries = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .doorway_steps = one_step, .leave_steps = one_step },
};
