/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room: group exclusion for at most k members at a time, with slots, first come
 * first served.  Waiters can give up, and dead members are recovered.
 *
 * Idea      Asking for a session, going out and changing k are operations of a
 *           small state machine, which lets waiters in by ticket.  A wait-free
 *           construction makes the machine a shared object.  Each operation
 *           takes effect at one instant, no process waits for a step of a dead
 *           member, and one operation frees the slot of a dead member.
 * Source    ours; labels ours
 * Shape     1 <= n <= 256, any session numbers, k <= 256 (0: no limit); k can
 *           be resized
 * Promises  session-exclusion; at-most-k; unique-slots; fcfs; fife;
 *           concurrent-entering; strong-concurrent-entering (up to k);
 *           concurrent-occupancy; no-starvation; no-lost-wake; prompt-wake;
 *           bounded-doorway; bounded-leave; exit-termination; bounded-abort;
 *           quiescence; invariant; all with aborts, recovered deaths and
 *           resizing
 * Costs     (2n+3)(3n+4+T)+9n+7+T words, T = ceil((n+1)/64), not counting the
 *           words that pad cache lines; 40n+12T+76 RMRs in DSM and in CC
 *           with a smart cache, otherwise n more
 * Invariant The members inside have the same session and different slots.  If
 *           fewer than k members are inside, the waiter with the smallest
 *           ticket conflicts with that session.  A member that was told to
 *           enter is inside.  See invariant() in room.h.
 */
#include "algorithm.h"

enum { CAPTURES = false };

#include "room.h"

const struct algorithm room = {
	.name = "room",
	.source = "ours",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | AT_MOST_K | UNIQUE_SLOTS | FCFS | FIFE |
		    CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING |
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
		.rmr_cc = { remote_cc, "41n+12T+76, T = ceil((n+1)/64)" },
		.rmr_cc_smart = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
		.rmr_dsm = { remote, "40n+12T+76, T = ceil((n+1)/64)" },
	},
	.composition = {
		.default_component = "resilient-object", .fits = fits,
		.compose = compose, .at = component_at,
	},
};
