/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-double-look: a pass of the poll reads one word up to three times, and may
 * find different values.
 *
 * Not broken: all its promises hold.
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
	mem_name((struct word *)shared, "door");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *door = shared;
	uint64_t v;

	(void)self;
D1:	v = mem_read(door);
	if (v == 0) {
D2:		if (mem_cas(door, 0, 1))
			return true;
D3:		v = mem_read(door);
	}
	/* If the door is open again, poll names no word to sleep on, and the
	 * process tries again at once. */
	if (v != 0)
		wait_for_change(wait, door, v);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct word *door = shared;

	(void)self;
D4:	mem_write(door, 0);
	mem_wake(door);
}

const struct algorithm toy_double_look = {
	.name = "toy-double-look",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.retries = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
