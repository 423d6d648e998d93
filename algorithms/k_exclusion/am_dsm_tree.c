/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-dsm-tree: am-tree in which each process waits in its own memory.
 *
 * Idea      The tree of Figure 3a, made of the cells of Figure 6.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figures 3a and 6, Theorem 6.
 * Shape     any n, any k >= 1 (k >= n needs no block)
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     2 + 2m(c+2) words for each cell of capacity c for m processes; DSM
 *           14k ceil(log2 ceil(n/k)) RMRs; CC: no bound claimed
 * Invariant At most 2k processes are in a block.  In every cell, a process does
 *           not wait at a location again while a late write, meant to end an
 *           earlier wait there, is still possible (am_dsm_cell.h).
 */
#include "am_dsm_cell.h"
#include "am_tree.h"

const struct algorithm am_dsm_tree = {
	.name = "am-dsm-tree",
	.source = "Anderson and Moir 1994, Figures 3a and 6",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = tree_words, .own_words = tree_own_words,
	.own_persistent = tree_own_words,
	.init = tree_init, .quiet = tree_quiet,
	.enter = tree_enter, .leave = tree_leave,
	.bounds = {
		.leave_steps = tree_leave_steps,
		.rmr_cc = { NULL, "no bound claimed" },
		.rmr_dsm = { tree_remote, "14k ceil(log2 ceil(n/k))" },
	},
};
