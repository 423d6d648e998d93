/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * choi-plain: Choi's algorithm with more blocks, for caches in which a failed
 * compare-and-swap disturbs waiters.
 *
 * Idea      As choi, with n / log k blocks.  A round then lasts so long that
 *           the compare-and-swap of a late leaver fails at most once at a word
 *           on which a process waits.
 * Source    Choi, "A solution to k-exclusion with O(log k) RMR complexity",
 *           Dartmouth TR2011-682, 2011, sections 2 and 3.7.5; with the
 *           corrections of choi.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           no-lost-wake; prompt-wake; quiescence; invariant
 * Costs     2 + k max(2, n / ceil(log2 k)) words; CC 9 ceil(log2 k) + 21 RMRs
 *           with a smart cache, otherwise (4n+3)(ceil(log2 k) + 2) + 3, and
 *           O(log k) amortised; DSM unbounded
 * Invariant The invariant of choi: the enabled tokens are 0..m, where
 *           Exit <= m+1 <= Exit + k, and Entry - Exit processes wait or are
 *           inside.
 */
#include "choi_sets.h"

/* Returns enough blocks for k n / log k places. */
static unsigned choi_blocks(const struct shape *shape)
{
	unsigned bits = shape->k < 3 ? 1 : choi_bits(shape->k);
	unsigned blocks = (shape->n - 1) / bits + 1;

	return blocks < 2 ? 2 : blocks;
}

#include "choi_figure.h"

/*
 * With a smart cache a passage costs at most choi_remote.  In a cache that is
 * not smart, section 3.7.5 adds the looks that failed compare-and-swaps cause.
 * A late leaver causes such looks at one word, for at most k waiters; fewer
 * than n leavers are late in a round, and a round has k n / log k tokens.  So
 * these looks cost at most log k for each token.
 */
static uint64_t amortised(const struct shape *shape, unsigned contention)
{
	return choi_remote(shape, contention) + choi_bits(shape->k);
}

const struct algorithm choi_plain = {
	.name = "choi-plain",
	.source = "Choi 2011, section 3.7.5",
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
		.rmr_cc_amortised = { amortised, "O(log k): "
						 "10 ceil(log2 k)+21" },
		.rmr_dsm = { NULL, "unbounded: waits on words that belong to "
				   "no process" },
	},
};
