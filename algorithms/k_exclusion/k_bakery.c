/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * k-bakery: k-exclusion from single-writer reads and writes; a process
 * overtakes at most k-1 waiters that came before it.
 *
 * Idea      Each process writes its ticket into n-1 words, one for each other
 *           process to read.  It enters when fewer than k other processes may
 *           still be ahead.
 * Source    Danek, "The k-Bakery", PODC 2010, Figure 2 without the shaded lines
 *           (k_bakery_figure.h); abort and the reset of a dead process's row
 *           are ours.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; k-fcfs; no-starvation with k-1 crashes; no-wait-below-k;
 *           bounded-doorway; bounded-leave; exit-termination; bounded-abort;
 *           no-lost-wake; prompt-wake; quiescence; all with aborts and
 *           recovered deaths.  k-bakery does not promise fife; k-bakery-fife
 *           does.
 * Costs     n + n*n words; DSM 4(n-1) RMRs, CC 8(n-1)+1
 * Invariant A process drops i from its predecessors only if i's ticket is
 *           larger or i does not compete.  So a process enters only if it is
 *           among the k competing processes with the smallest tickets.
 */
#include "algorithm.h"

enum { SHADED = false };

#include "k_bakery_figure.h"

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 8 * (uint64_t)(shape->n - 1) + 1;
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 4 * (uint64_t)(shape->n - 1);
}

const struct algorithm k_bakery = {
	.name = "k-bakery",
	.source = "Danek 2010, Figure 2 unshaded",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | K_FCFS | NO_DEADLOCK | NO_STARVATION |
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
		.rmr_cc = { rmr_cc, "8(n-1)+1" },
		.rmr_dsm = { rmr_dsm, "4(n-1)" },
	},
};
