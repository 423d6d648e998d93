/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room-capture: as room, but a group enters together.  A member can pass
 * conflicting waiters if it already waits when a period of its session begins.
 *
 * Idea      When no member is inside, the first waiter begins a period of its
 *           session.  The members that wait for this session at that time enter
 *           during the period, in the order of tickets.  Members that come
 *           later wait behind conflicting waiters.
 * Source    ours; labels ours
 * Shape     the shape of room
 * Promises  the promises of room except fcfs and strong-concurrent-entering;
 *           and bounded-bypass: conflicting members that came later pass a
 *           waiter at most (n-2)(n-3)/2 times
 * Costs     the costs of room
 * Invariant the invariant of room
 *
 * The bound (n-2)(n-3)/2 has the following proof.  Let q wait.  In a period
 * that began before q asked, no member passes q, because tickets later than q's
 * are beyond the horizon.  If a period begins while q waits, the waiter that
 * begins it has a smaller ticket than q.  Let `a` be the number of waiters that
 * have smaller tickets than q when the period begins, including the waiter that
 * begins it.  When the next period begins, at most a-1 such waiters are left;
 * if none is left, q begins that period itself.
 * When a period begins, neither q itself, nor the waiters that `a` counts, nor
 * the member that has just gone out can be waiting behind q.  So at most n-2-a
 * members pass q in this period.  Each of them passes q once, because a member
 * that comes again is beyond the horizon.  When q asked, a member was inside,
 * so at first `a` is at most n-2.  The sum of n-2-a over a = n-2, ..., 1 is
 * 0+1+...+(n-3) = (n-2)(n-3)/2.
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
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE | PROMPT_WAKE | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE | EXIT_TERMINATION | BOUNDED_ABORT |
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
		.rmr_cc = { remote_cc, "41n+12T+76, T = ceil((n+1)/64)" },
		.rmr_cc_smart = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
		.rmr_dsm = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
	},
	.composition = {
		.default_component = "resilient-object", .fits = fits,
		.compose = compose, .at = component_at,
	},
};
