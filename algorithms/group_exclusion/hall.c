/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hall: group exclusion without a limit, first come first served.  Waiters can
 * give up, and dead members are recovered.
 *
 * Idea      The word S has the session of the hall, as a reference to a record
 *           of the member that founded it.  Presence is a member's own word W.
 *           While no process waits, a member whose session the hall has enters
 *           by one compare-and-swap on W and a second look at S, and leaves by
 *           another compare-and-swap: the short way.  A waiter draws a token,
 *           and the root of a tree of minima names the waiter with the oldest
 *           token.  A root that is not empty closes the short way.  The oldest
 *           waiter, a leaver, or whoever changed S last lets the oldest waiter
 *           in as soon as it may enter; a waiter with another session first
 *           closes the gate and waits until the hall is empty.  One write is
 *           enough to leave, to give up, or to declare a member dead.
 * Source    ours; labels ours
 * Shape     1 <= n <= 4096, any session numbers, no limit; the slot of a member
 *           is its id
 * Promises  session-exclusion; unique-slots; fcfs; fife; concurrent-entering;
 *           strong-concurrent-entering; concurrent-occupancy; no-starvation;
 *           no-lost-wake; bounded-doorway; bounded-leave; exit-termination;
 *           bounded-abort; quiescence; invariant; all with aborts and recovered
 *           deaths
 * Costs     about 18n words; on the short way 2 RMRs in CC and 4 in DSM
 * Invariant I1 to I4 and I7 in hall.h, and I6 in hall_tree.h
 */
#include "algorithm.h"

#include "hall_tree.h"
#include "hall.h"

const struct algorithm hall = {
	.name = "hall",
	.source = "ours",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | UNIQUE_SLOTS | FCFS | FIFE |
		    CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.retries = true,
	.limits = { .least_n = 1, .most_n = MOST_N },
	.words = words_of, .own_words = own_words, .extent = extent_of,
	.init = init, .quiet = quiet, .invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .depart = depart,
	.abort = give_up, .recover = recover,
	.holder = holder, .rank = rank,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { NULL, "2 on the short way" },
		.rmr_dsm = { NULL, "4 on the short way" },
	},
};
