/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-induction: k-exclusion by n-k cells in a row, each of which holds back one
 * process.
 *
 * Idea      A cell of capacity c lets c of at most c+1 processes pass.  Cells
 *           of capacity n-1, n-2, ..., k in a row let k of n processes pass.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 2 and Theorem 1.
 * Shape     any n, any k >= 1 (k >= n needs no cell)
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     2(n-k) words; CC 7(n-k) RMRs; DSM unbounded: all processes share Q
 * Invariant X of a cell is c minus the number of processes between its lines 3
 *           and 6.  If X < 0, a process is at line 3, or Q names a process at
 *           line 4 or 5.
 */
#include "am_cell.h"
#include "am_induction.h"

const struct algorithm am_induction = {
	.name = "am-induction",
	.source = "Anderson and Moir 1994, Figure 2",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = induction_words, .init = induction_init,
	.quiet = induction_quiet, .enter = induction_enter,
	.leave = induction_leave,
	.bounds = {
		.leave_steps = induction_leave_steps,
		.rmr_cc = { induction_remote, "7(n-k)" },
		.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
	},
};
