/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-dsm-fast-path: am-fast-path in which each process waits in its own memory.
 *
 * Idea      The fast path of Figure 4, made of the cells of Figure 6.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figures 4 and 6, Theorem 7; the
 *           gate is ours (am_gate.h).
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     the words of am-dsm-tree, of a gate and of a block for n processes;
 *           DSM 14k+2 RMRs if contention <= k, else
 *           14k(ceil(log2 ceil(n/k))+1)+2; CC: no bound claimed
 * Invariant At most 2k processes are in the last block.  In every cell, a
 *           process does not wait at a location again while a late write, meant
 *           to end an earlier wait there, is still possible (am_dsm_cell.h).
 */
#include "am_dsm_cell.h"
#include "am_gate.h"
#include "am_fast_path.h"

const struct algorithm am_dsm_fast_path = {
	.name = "am-dsm-fast-path",
	.source = "Anderson and Moir 1994, Figures 4 and 6",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = fast_path_words, .own_words = fast_path_own_words,
	.own_persistent = fast_path_persistent,
	.init = fast_path_init, .quiet = fast_path_quiet,
	.enter = fast_path_enter, .leave = fast_path_leave,
	.bounds = {
		.leave_steps = fast_path_leave_steps,
		.rmr_cc = { NULL, "no bound claimed" },
		.rmr_dsm = { fast_path_remote,
			     "14k+2 if contention <= k, else "
			     "14k(ceil(log2 ceil(n/k))+1)+2" },
	},
};
