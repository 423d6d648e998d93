/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-considerate-room: a process joins its session only if no process waits
 * for another session.  Processes that came later count as well.
 *
 * Refused by strong-concurrent-entering; concurrent-entering,
 * session-exclusion, fcfs, no-starvation and bounded-leave hold.
 */
#include "room_queue.h"

/* No process admits another process: each waiter decides for itself. */
static uint64_t admit(uint64_t queue, uint64_t admitted)
{
	(void)queue;
	return admitted;
}

static bool all_of_session(uint64_t queue, uint64_t session)
{
	for (; queue; queue >>= PLACE_BITS)
		if (session_of(queue) != session)
			return false;
	return true;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct room_queue *r = shared;
	uint64_t queue;

N1:	queue = mem_read(&r->queue);
	if (id_of(queue) == self->id || all_of_session(queue, self->session))
		return true;
	wait_for_change(wait, &r->queue, queue);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct room_queue *r = shared;

N2:	mem_atomic(room_withdraw, shared, self);
	mem_wake(&r->queue);
}

const struct algorithm toy_considerate_room = {
	.name = "toy-considerate-room",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING | FCFS |
		    NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_LARGE_STEP,
	.simulated_only = true, .finite_state = true,
	.limits = { .most_n = 7, .most_sessions = 7 },
	.words = room_words, .init = room_init,
	.doorway = room_doorway, .poll = poll, .leave = leave,
	.bounds = { .leave_steps = room_one_step },
};
