/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-old-name: a pass of the poll reads that the lock is free and then fails
 * to take it.  The pass names the value that it read, and not the value that
 * made it fail.
 *
 * Refused by no-lost-wake: before the process compares the named value, the
 * holder may leave.  Then the lock has the named value again, and the process
 * sleeps although the lock is free.
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
	mem_poke((struct word *)shared, 1);
	mem_name((struct word *)shared, "free");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *lock = shared;
	uint64_t v;

	(void)self;
O1:	v = mem_read(lock);
	if (v) {
O2:		if (mem_cas(lock, 1, 0))
			return true;
	}
	wait_for_change(wait, lock, v);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct word *lock = shared;

	(void)self;
O3:	mem_write(lock, 1);
	mem_wake(lock);
}

const struct algorithm toy_old_name = {
	.name = "toy-old-name",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
