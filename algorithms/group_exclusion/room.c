/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room: group exclusion for at most k, with slots, first come first served; one
 * can give up, and the dead are recovered.
 *
 * Idea      To ask, to go and to change k are operations of a small state
 *           machine, which lets in by ticket whoever may enter.  A wait-free
 *           construction makes a shared object of it: so each takes effect at
 *           one instant, nobody waits for a dead one to move, and what that one
 *           held is taken away by one operation.
 * Source    ours; labels ours
 * Shape     1 <= n <= 256, any sessions, k <= 256 (0: no limit), room to grow
 * Promises  session-exclusion; at-most-k; unique-slots; fcfs; fife;
 *           concurrent-entering; strong-concurrent-entering (up to k);
 *           no-starvation; no-lost-wake; bounded-doorway; bounded-leave;
 *           bounded-abort; quiescence; invariant; all with aborts, recovered
 *           deaths and resizing
 * Costs     (2n+3)(3n+4+T)+9n+7+T words, T = ceil((n+1)/64), without those that
 *           fill lines; 40n+12T+76 RMRs
 * Invariant Those inside share a session and no slot; who waits with the
 *           smallest ticket conflicts or finds no room; who was told to go in
 *           is inside.  See room_state.h.
 */
#include "algorithm.h"

enum { CAPTURES = false };

#include "room.h"
#include "room_state.h"

const struct algorithm room = {
	.name = "room",
	.source = "ours",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | AT_MOST_K | UNIQUE_SLOTS | FCFS | FIFE |
		    CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING |
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
		.rmr_cc = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
		.rmr_dsm = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
	},
	.composition = {
		.default_component = "resilient-object", .fits = fits,
		.compose = compose, .at = component_at,
	},
};
