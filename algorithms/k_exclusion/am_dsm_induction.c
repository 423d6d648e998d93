/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-dsm-induction: am-induction in which each process waits in its own memory.
 *
 * Idea      As am-induction, but a cell names the location at which a process
 *           waits, in that process's memory.  In a cell of capacity c, c+2
 *           locations per process are enough for any number of passages.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 6 and Theorem 5.
 * Shape     any n, any k >= 1 (k >= n needs no cell)
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     2 + 2n(c+2) words for each cell of capacity c; DSM 14(n-k) RMRs;
 *           CC: no bound claimed
 * Invariant In every cell, a process does not wait at a location again while a
 *           late write, meant to end an earlier wait there, is still possible
 *           (am_dsm_cell.h).
 */
#include "am_dsm_cell.h"
#include "am_induction.h"

const struct algorithm am_dsm_induction = {
	.name = "am-dsm-induction",
	.source = "Anderson and Moir 1994, Figure 6",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = induction_words, .own_words = induction_own_words,
	.own_persistent = induction_own_words,
	.init = induction_init, .quiet = induction_quiet,
	.enter = induction_enter, .leave = induction_leave,
	.bounds = {
		.leave_steps = induction_leave_steps,
		.rmr_cc = { NULL, "no bound claimed" },
		.rmr_dsm = { induction_remote, "14(n-k)" },
	},
};
