/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-open-house: a group lock that ignores sessions.
 *
 * Refused by session-exclusion; concurrent-entering, strong-concurrent-entering
 * and bounded-leave hold.
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
	mem_name((struct word *)shared, "guests");
}

static bool doorway(void *shared, struct process *self)
{
	(void)self;
O1:	mem_add((struct word *)shared, 1);
	return true;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	(void)shared;
	(void)self;
	(void)wait;
	return true;
}

static void leave(void *shared, struct process *self)
{
	(void)self;
O2:	mem_add((struct word *)shared, (uint64_t)-1);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_open_house = {
	.name = "toy-open-house",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING |
		    NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE,
	.primitives = USES_ADD,
	.finite_state = true,
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
	.bounds = { .leave_steps = one_step },
};
