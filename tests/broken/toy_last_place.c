/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-last-place: a group lock for two processes at a time.  It always keeps
 * the last place free, so it admits only one process.
 *
 * Refused by concurrent-entering and strong-concurrent-entering with k = 2;
 * at-most-k, session-exclusion, fcfs, no-starvation and bounded-leave hold.
 */
#include "room_queue.h"

static uint64_t admit(uint64_t queue, uint64_t admitted)
{
	(void)admitted;
	return queue ? UINT64_C(1) << id_of(queue) : 0;
}

const struct algorithm toy_last_place = {
	.name = "toy-last-place",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = AT_MOST_K | SESSION_EXCLUSION | FCFS | NO_DEADLOCK |
		    NO_STARVATION | BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_LARGE_STEP,
	.simulated_only = true, .finite_state = true,
	.limits = { .most_n = 7, .most_sessions = 7 },
	.words = room_words, .init = room_init,
	.doorway = room_doorway, .poll = room_poll, .leave = room_leave,
	.bounds = { .leave_steps = room_one_step },
};
