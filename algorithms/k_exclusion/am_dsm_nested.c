/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-dsm-nested: am-nested in which each process waits in its own memory.
 *
 * Idea      The nested fast paths of Figure 3b, made of the cells of Figure 6.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figures 3b and 6, Theorem 8; the
 *           gates and the tree are ours, as in am-nested.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     the words of am-dsm-tree, and for each gate one word and the words
 *           of a block for n processes; with g = ceil(n/k)-2 > 0 gates, DSM
 *           14k+2 RMRs if contention <= k, else
 *           14k(g+ceil(log2 ceil(n/k)))+2g.  Theorem 8's ceil(c/k)(14k+2) at
 *           contention c is exceeded with these gates: 38 against 32 at n=8
 *           k=1 c=2.  CC: no bound claimed
 * Invariant At most 2k processes are in block f.  In every cell, a process does
 *           not wait at a location again while a late write, meant to end an
 *           earlier wait there, is still possible (am_dsm_cell.h).
 */
#include "am_dsm_cell.h"
#include "am_gate.h"
#include "am_nested.h"

const struct algorithm am_dsm_nested = {
	.name = "am-dsm-nested",
	.source = "Anderson and Moir 1994, Figures 3b and 6",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = nested_words, .own_words = nested_own_words,
	.own_persistent = nested_persistent,
	.init = nested_init, .quiet = nested_quiet,
	.enter = nested_enter, .leave = nested_leave,
	.bounds = {
		.leave_steps = nested_leave_steps,
		.rmr_cc = { NULL, "no bound claimed" },
		.rmr_dsm = { nested_remote,
			     "14k(g+ceil(log2 T))+2g, T = ceil(n/k), g = T-2; "
			     "14k+2 if contention <= k; exceeds Theorem 8" },
	},
};
