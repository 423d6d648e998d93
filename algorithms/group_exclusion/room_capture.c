/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room-capture: as room, but a group enters together: a member that asks for a
 * session and waits when a period of that session begins passes conflicting
 * waiters.
 *
 * Idea      When no member is inside, the first waiter begins a period.  The
 *           waiters that ask for its session at that time are let in during the
 *           period, by ticket.  Members that come later wait behind conflicting
 *           waiters.
 * Source    ours; labels ours
 * Shape     that of room
 * Promises  those of room except fcfs and strong-concurrent-entering; and
 *           bounded-bypass: conflicting members that came later pass a waiter
 *           at most (n-2)(n-3)/2 times
 * Costs     those of room
 * Invariant that of room
 *
 * Why (n-2)(n-3)/2.  Let q wait.  A period that began before q asked lets no
 * member pass q, because later tickets are beyond its horizon.  A period that
 * begins while q waits is begun by a waiter with a smaller ticket.  Let a be
 * the number of waiters with smaller tickets when the period begins, including
 * its first waiter; at the next period there are at most a-1, and when there
 * are none, q begins the period itself.  When the period begins, neither q, nor
 * these a waiters, nor the member that has just gone out waits behind q.  So at
 * most n-2-a members pass q in this period, each once, because a member that
 * comes again is beyond the horizon.  When q asked, a member was inside, so at
 * first a is at most n-2.  The sum is 0+1+...+(n-3).
 */
#include "algorithm.h"

enum { CAPTURES = true };

#include "room.h"

static unsigned most_bypasses(const struct shape *shape)
{
	return shape->n < 3 ? 0 : (shape->n - 2) * (shape->n - 3) / 2;
}

const struct algorithm room_capture = {
	.name = "room-capture",
	.source = "ours",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | AT_MOST_K | UNIQUE_SLOTS | FIFE |
		    BOUNDED_BYPASS | CONCURRENT_ENTERING |
		    NO_DEADLOCK | NO_STARVATION | NO_LOST_WAKE |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | BOUNDED_ABORT |
		    QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_CAS,
	.naps = true,
	.limits = {
		.least_n = 1, .most_n = MOST_MEMBERS, .most_k = MOST_MEMBERS,
	},
	.words = words, .own_words = own_words, .extent = extent_of,
	.init = init, .quiet = quiet,
	.invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .depart = depart,
	.abort = give_up, .recover = recover, .resize = resize,
	.holder = holder, .rank = rank,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = leave_steps, .solo_steps = solo_steps,
		.most_bypasses = most_bypasses,
		.rmr_cc = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
		.rmr_dsm = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
	},
	.composition = {
		.default_component = "resilient-object", .fits = fits,
		.compose = compose, .at = component_at,
	},
};
