/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-barging-room: a process enters if the room is empty or has its session.
 * One word holds the session and the number of processes inside.
 *
 * Refused by strong-concurrent-entering, because a process of another session
 * that came later may enter before a waiter; session-exclusion and
 * concurrent-entering hold.  bounded-bypass holds if there are two processes
 * that make two passages each.
 */
#include "algorithm.h"

enum { COUNT_BITS = 8, COUNT_MASK = (1 << COUNT_BITS) - 1 };

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "room");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *room = shared;
	uint64_t mine = self->session << COUNT_BITS, v;

B1:	v = mem_read(room);
	if ((v & COUNT_MASK) == 0 || (v & ~(uint64_t)COUNT_MASK) == mine) {
		/* If B2 fails, the process tries again at once. */
B2:		return mem_cas(room, v, mine + (v & COUNT_MASK) + 1);
	}
	wait_for_change(wait, room, v);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct word *room = shared;

	(void)self;
B3:	mem_add(room, (uint64_t)-1);
	mem_wake(room);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static unsigned two_bypasses(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_barging_room = {
	.name = "toy-barging-room",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING | NO_DEADLOCK |
		    BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true, .retries = true,
	.words = words, .init = init, .doorway = doorway, .poll = poll,
	.leave = leave,
	.bounds = { .leave_steps = one_step, .most_bypasses = two_bypasses },
};
