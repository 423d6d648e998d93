/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * k-bakery-fife: the k-bakery in which an overtaken process can follow at once.
 *
 * Idea      As k-bakery.  In addition, a process that enters writes its ticket
 *           once more for every other process to read: this is a capture.  A
 *           waiter that finds a capture with a larger ticket than its own
 *           enters too.
 * Source    Danek, "The k-Bakery", PODC 2010, Figure 2 with the shaded lines
 *           (k_bakery_figure.h); abort and the reset of a dead process's row
 *           are ours.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           bounded-abort; no-lost-wake; prompt-wake; quiescence; all with
 *           aborts and recovered deaths
 * Costs     n + 2n*n words; DSM 5(n-1) RMRs, CC 12(n-1)+1
 * Invariant The process that wrote a capture was among the k competing
 *           processes with the smallest tickets.  So a process with a smaller
 *           ticket is among these k too.
 */
#include "algorithm.h"

enum { SHADED = true };

#include "k_bakery_figure.h"

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 12 * (uint64_t)(shape->n - 1) + 1;
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 5 * (uint64_t)(shape->n - 1);
}

const struct algorithm k_bakery_fife = {
	.name = "k-bakery-fife",
	.source = "Danek 2010, Figure 2",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.counter = bakery_counter,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = bakery_words, .own_words = bakery_own_words,
	.own_persistent = bakery_own_persistent, .init = bakery_init,
	.quiet = bakery_quiet, .doorway = bakery_doorway, .poll = bakery_poll,
	.leave = bakery_leave, .abort = bakery_leave, .recover = bakery_recover,
	.bounds = {
		.doorway_steps = bakery_doorway_steps,
		.leave_steps = bakery_leave_steps,
		.abort_steps = bakery_leave_steps,
		.solo_steps = bakery_solo_steps,
		.rmr_cc = { rmr_cc, "12(n-1)+1" },
		.rmr_dsm = { rmr_dsm, "5(n-1)" },
	},
};
