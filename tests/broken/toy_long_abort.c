/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-long-abort: a process that gives up makes three steps, but the table says
 * two.  The lock admits every process.
 *
 * Refused by bounded-abort; no-deadlock and no-starvation hold.
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
	mem_name((struct word *)shared, "zero");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *zero = shared;
	uint64_t v;

	(void)self;
P1:	v = mem_read(zero);
	wait_for_change(wait, zero, v);
	return v == 0;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

static void give_up(void *shared, struct process *self)
{
	struct word *zero = shared;

	(void)self;
P2:	(void)mem_read(zero);
P3:	(void)mem_read(zero);
P4:	(void)mem_read(zero);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_long_abort = {
	.name = "toy-long-abort",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = NO_DEADLOCK | NO_STARVATION | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.words = words, .init = init, .doorway = doorway, .poll = poll,
	.leave = leave, .abort = give_up,
	.bounds = { .abort_steps = two_steps },
};
