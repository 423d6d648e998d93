/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-fast-path: k-exclusion that is cheap while at most k processes compete.
 *
 * Idea      A gate with k slots leads straight to the last Block(k).  A process
 *           that gets no slot reaches the block through the tree.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 4 and Theorem 3; the gate is
 *           ours, because no machine has a decrement that stops at 0.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     the words of am-tree, and 2k+1 words; CC 7k+2 RMRs if contention
 *           <= k, else 7k(ceil(log2 ceil(n/k))+1)+2; DSM unbounded
 * Invariant At most 2k processes are in the last block: k with a slot of the
 *           gate, and k from the tree.  In every cell, X is the cell's capacity
 *           minus the number of processes between its lines 3 and 6
 *           (am_cell.h).
 */
#include "am_cell.h"
#include "am_gate.h"
#include "am_fast_path.h"

const struct algorithm am_fast_path = {
	.name = "am-fast-path",
	.source = "Anderson and Moir 1994, Figure 4",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = fast_path_words, .own_words = fast_path_own_words,
	.own_persistent = fast_path_persistent,
	.init = fast_path_init, .quiet = fast_path_quiet,
	.enter = fast_path_enter, .leave = fast_path_leave,
	.bounds = {
		.leave_steps = fast_path_leave_steps,
		.rmr_cc = { fast_path_remote,
			    "7k+2 if contention <= k, else "
			    "7k(ceil(log2 ceil(n/k))+1)+2" },
		.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
	},
};
