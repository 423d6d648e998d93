/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-fidget-room: a group lock that admits one process at a time, and whose
 * waiters never sleep.
 *
 * Refused by concurrent-occupancy: while a process stays inside, no other
 * process of its session enters.  concurrent-entering holds, because a process
 * that never sleeps is never blocked; session-exclusion, no-starvation and
 * bounded-leave hold, too, if each process makes one passage.
 */
#include "algorithm.h"

enum { DOOR = 0 };

#include "fidget.h"

const struct algorithm toy_fidget_room = {
	.name = "toy-fidget-room",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE | EXIT_TERMINATION | BOUNDED_ABORT |
		    NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.retries = true,
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
};
