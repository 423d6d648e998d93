/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-retrying-leave: a counter of the processes inside, which a process
 * changes by a compare-and-swap that it repeats until it succeeds.
 *
 * Refused by exit-termination: if other processes enter and leave for ever, the
 * compare-and-swap of a leaver may always fail.  at-most-k, no-deadlock and
 * quiescence hold, and so does bounded-leave, which without a stated bound
 * refuses only a leaver that is blocked.  (no-starvation refuses every
 * algorithm that exit-termination refuses; this toy does not promise it.)
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
	mem_name((struct word *)shared, "inside");
}

static bool quiet(void *shared, const struct shape *shape)
{
	(void)shape;
	return mem_peek((struct word *)shared) == 0;
}

static int enter(void *shared, struct process *self)
{
	struct word *inside = shared;
	uint64_t count;
	bool counted;

	do {
R1:		await(count, inside, count < self->shape->k);
R2:		counted = mem_cas(inside, count, count + 1);
	} while (!counted);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct word *inside = shared;
	uint64_t count;
	bool counted;

	(void)self;
	do {
R3:		count = mem_read(inside);
R4:		counted = mem_cas(inside, count, count - 1);
	} while (!counted);
	mem_wake(inside);
}

const struct algorithm toy_retrying_leave = {
	.name = "toy-retrying-leave",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.retries = true,
	.limits = { .least_k = 1 },
	.words = words, .init = init, .quiet = quiet,
	.enter = enter, .leave = leave,
};
