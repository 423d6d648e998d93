/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-tree: k-exclusion by a tree of blocks with logarithmic height.
 *
 * Idea      Block(k), which is k cells in a row, lets k of 2k processes pass.
 *           A knock-out tournament between groups of k processes leaves one
 *           group of k.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 3a and Theorem 2.
 * Shape     any n, any k >= 1 (k >= n needs no block)
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     2k(ceil(n/k)-1) words; CC 7k ceil(log2 ceil(n/k)) RMRs; DSM
 *           unbounded
 * Invariant At most 2k processes are in a block: k from each of its two groups,
 *           because a process leaves a block before it leaves the blocks below.
 *           In every cell, X is the cell's capacity minus the number of
 *           processes between its lines 3 and 6 (am_cell.h).
 */
#include "am_cell.h"
#include "am_tree.h"

const struct algorithm am_tree = {
	.name = "am-tree",
	.source = "Anderson and Moir 1994, Figure 3a",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = tree_words,
	.init = tree_init, .quiet = tree_quiet,
	.enter = tree_enter, .leave = tree_leave,
	.bounds = {
		.leave_steps = tree_leave_steps,
		.rmr_cc = { tree_remote, "7k ceil(log2 ceil(n/k))" },
		.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
	},
};
