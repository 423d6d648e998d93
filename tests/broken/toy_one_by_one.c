/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-one-by-one: a group lock that is a plain mutex.
 *
 * Refused by concurrent-entering; session-exclusion, fcfs, no-starvation and
 * bounded-leave hold.
 */
#include "room_queue.h"

static uint64_t admit(uint64_t queue, uint64_t admitted)
{
	(void)admitted;
	return queue ? UINT64_C(1) << id_of(queue) : 0;
}

const struct algorithm toy_one_by_one = {
	.name = "toy-one-by-one",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | FCFS | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_LARGE_STEP,
	.simulated_only = true, .finite_state = true,
	.limits = { .most_n = 7, .most_sessions = 7 },
	.words = room_words, .init = room_init,
	.doorway = room_doorway, .poll = room_poll, .leave = room_leave,
	.bounds = { .leave_steps = room_one_step },
};
