/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room-capture: as room, but groups get in together: who waits when a session's
 * period begins, and asks for it, passes those that conflict.
 *
 * Idea      When nobody is inside, who waits longest begins a period.  Whoever
 *           waits then, with the same session, is let in during it, by ticket;
 *           who comes later waits behind those that conflict.
 * Source    ours; labels ours
 * Shape     that of room
 * Promises  those of room but fcfs and strong-concurrent-entering; and
 *           bounded-bypass: who waits is passed at most (n-2)(n-3)/2 times by
 *           ones that came after it and conflict
 * Costs     those of room
 * Invariant that of room
 *
 * Why (n-2)(n-3)/2.  Let q wait.  A period that had begun before q asked lets
 * nobody past it: a later ticket is beyond its horizon.  Each period that
 * begins while q waits is led by one with a smaller ticket: with a of these
 * left, the next one has a-1 at most, and past the last one q leads.  When the
 * period begins, q, these a, and the one that has just gone out are not among
 * those who wait behind q; so n-2-a pass, each once, for when they come again
 * they are beyond the horizon.  When q asked, somebody was inside: so a is n-2
 * at first, at most.  The sum is 0+1+...+(n-3).
 */
#include "algorithm.h"

enum { CAPTURES = true };

#include "room.h"
#include "room_state.h"

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
