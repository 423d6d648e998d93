/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-fast-path-printed: am-fast-path as printed, with gates that no
 * machine has.
 *
 * Idea      A gate with k slots leads straight to the last Block(k).  A process
 *           finds no slot only if k others hold one; then it takes the slow
 *           path, on which at most n-k processes are at a time.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 4, footnote 2 and
 *           Theorem 3.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     2k+1 words and the words of the slow path (am_slow_path.h); CC 7k+2
 *           RMRs if contention <= k, else 7k(ceil(log2 ceil(n/k))+1)+2, as
 *           Theorem 3 says; DSM unbounded
 * Invariant At most n-k processes are on the slow path, and at most 2k in the
 *           last block.  0 <= G <= k.
 */
#include "am_cell.h"
#include "am_printed_gate.h"
#include "am_fast_path.h"

const struct algorithm am_fast_path_printed = {
	.name = "am-fast-path-printed",
	.source = "Anderson and Moir 1994, Figure 4, as printed",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_LARGE_STEP,
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
		.rmr_cc = { fast_path_remote,
			    "7k+2 if contention <= k, else "
			    "7k(ceil(log2 ceil(n/k))+1)+2" },
		.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
	},
};
