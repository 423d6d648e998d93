/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-dsm-fast-path-printed: am-dsm-fast-path as printed, with gates that no
 * machine has.
 *
 * Idea      A gate with k slots leads straight to the last Block(k).  A process
 *           finds no slot only if k others hold one; then it takes the slow
 *           path, on which at most n-k processes are at a time.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figures 4 and 6, footnote 2 and
 *           Theorem 7.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     the words of a gate, of a block for n processes and of the slow
 *           path (am_slow_path.h); DSM 14k+2 RMRs if contention <= k, else
 *           14k(ceil(log2 ceil(n/k))+1)+2, as Theorem 7 says; CC: no bound
 *           claimed
 * Invariant At most n-k processes are on the slow path, and at most 2k in the
 *           last block.  0 <= G <= k.
 */
#include "am_dsm_cell.h"
#include "am_printed_gate.h"
#include "am_fast_path.h"

const struct algorithm am_dsm_fast_path_printed = {
	.name = "am-dsm-fast-path-printed",
	.source = "Anderson and Moir 1994, Figures 4 and 6, as printed",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS | USES_LARGE_STEP,
	.simulated_only = true,
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
