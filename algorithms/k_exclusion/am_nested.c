/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-nested: k-exclusion whose cost grows with contention.
 *
 * Idea      A process tries ceil(n/k)-2 gates in turn.  A process with a slot
 *           of gate f goes through f+1 blocks; a process without a slot goes
 *           through the tree and all blocks.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 3b and Theorem 4; the gates
 *           (am_gate.h) and the tree behind the last gate are ours.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     the words of am-tree, and 2k+1 words per gate; with g =
 *           ceil(n/k)-2 > 0 gates, CC 7k+2 RMRs if contention <= k, else
 *           7k(g+ceil(log2 ceil(n/k)))+2g.  Theorem 4's ceil(c/k)(7k+2) at
 *           contention c is exceeded with these gates: 23 against 18 at n=8
 *           k=1 c=2.  DSM unbounded
 * Invariant At most 2k processes are in block f: k with a slot of gate f, and k
 *           that come from block f+1 or from the tree.  In every cell, X is the
 *           cell's capacity minus the number of processes between its lines 3
 *           and 6 (am_cell.h).
 */
#include "am_cell.h"
#include "am_gate.h"
#include "am_nested.h"

const struct algorithm am_nested = {
	.name = "am-nested",
	.source = "Anderson and Moir 1994, Figure 3b",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = nested_words, .own_words = nested_own_words,
	.own_persistent = nested_persistent,
	.init = nested_init, .quiet = nested_quiet,
	.enter = nested_enter, .leave = nested_leave,
	.bounds = {
		.leave_steps = nested_leave_steps,
		.rmr_cc = { nested_remote,
			    "7k(g+ceil(log2 T))+2g, T = ceil(n/k), g = T-2; "
			    "7k+2 if contention <= k; exceeds Theorem 4" },
		.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
	},
};
