/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-nested-printed: am-nested as printed, with gates that no machine has.
 *
 * Idea      A process tries ceil(n/k)-2 gates in turn.  A process with a slot
 *           of gate f goes through f+1 blocks; the at most 2k processes without
 *           a slot go through one more block.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 3b, footnote 2 and
 *           Theorem 4.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence
 * Costs     2k+1 words per gate and 2k words; CC ceil(c/k)(7k+2) RMRs at
 *           contention c, as Theorem 4 says; DSM unbounded
 * Invariant At most 2k processes are in block f: k with a slot of gate f, and k
 *           that come from the block before it.  0 <= G[f] <= k.
 */
#include "am_cell.h"
#include "am_printed_gate.h"
#include "am_nested.h"

const struct algorithm am_nested_printed = {
	.name = "am-nested-printed",
	.source = "Anderson and Moir 1994, Figure 3b, as printed",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_LARGE_STEP,
	.simulated_only = true,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = nested_words, .own_words = nested_own_words,
	.own_persistent = nested_persistent,
	.init = nested_init, .quiet = nested_quiet,
	.enter = nested_enter, .leave = nested_leave,
	.bounds = {
		.leave_steps = nested_leave_steps,
		.rmr_cc = { nested_theorem,
			    "ceil(c/k)(7k+2) at contention c" },
		.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
	},
};
