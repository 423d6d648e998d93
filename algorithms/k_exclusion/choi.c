/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * choi: k-exclusion in order of arrival, with log k remote references.
 *
 * Idea      A process draws a token and enters when the token is enabled.  Each
 *           leaver enables one more token.  It also enables the k tokens before
 *           that token again, because an earlier leaver may have stopped
 *           halfway.  The tokens share a few words, the places of a block: a
 *           waiter looks at some of the places, a leaver raises some of them,
 *           and the two sets have a place in common.
 * Source    Choi, "A solution to k-exclusion with O(log k) RMR complexity",
 *           Dartmouth TR2011-682, 2011, section 2; our corrections are in
 *           docs/algorithms/choi.md.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           no-lost-wake; prompt-wake; quiescence; invariant
 * Costs     2 + max(2k, n rounded up to a multiple of k) words; CC 9 ceil(log2
 *           k) + 21 RMRs with a smart cache, otherwise (4n+3)(ceil(log2 k) + 2)
 *           + 3; DSM unbounded
 * Invariant The enabled tokens are 0..m, where Exit <= m+1 <= Exit + k.
 *           Entry - Exit processes wait or are inside.
 */
#include "choi_sets.h"

/* Returns enough blocks for n places, but at least two. */
static unsigned choi_blocks(const struct shape *shape)
{
	unsigned blocks = (shape->n - 1) / shape->k + 1;

	return blocks < 2 ? 2 : blocks;
}

#include "choi_figure.h"

const struct algorithm choi = {
	.name = "choi",
	.source = "Choi 2011, section 2",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.counter = choi_counter,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = choi_words, .init = choi_init, .quiet = choi_quiet,
	.invariant = choi_invariant, .enter = choi_enter, .leave = choi_leave,
	.bounds = {
		.doorway_steps = choi_doorway_steps,
		.leave_steps = choi_leave_steps, .solo_steps = choi_solo_steps,
		.rmr_cc = { choi_remote_plain, "(4n+3)(ceil(log2 k)+2)+3" },
		.rmr_cc_smart = { choi_remote, "9 ceil(log2 k)+21" },
		.rmr_dsm = { NULL, "unbounded: waits on words that belong to "
				   "no process" },
	},
};
