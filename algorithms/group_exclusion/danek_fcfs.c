/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * danek-fcfs: group exclusion over an abortable mutex A, first come first
 * served; local spin in DSM.
 *
 * Idea      As jayanti-gme, but a waiter reads only its own barricades, and a
 *           leaver drops the barricades that other processes raised for it.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 4.4 and 4.5.
 * Shape     any n, any session numbers, no limit k
 * Promises  session-exclusion; fcfs; concurrent-entering;
 *           strong-concurrent-entering; concurrent-occupancy; no-starvation;
 *           bounded-doorway; bounded-leave; exit-termination; bounded-abort;
 *           no-lost-wake; prompt-wake; quiescence.  Not fife: see
 *           docs/algorithms/danek-fcfs.md.
 * Costs     n + n*n words and the words of A; outside A DSM 2(n-1) RMRs, CC
 *           5(n-1)+2
 * Invariant Let j be in the conflicts of p.  When p read the session of j in
 *           its doorway, j asked for another session.  Since then p has not
 *           seen that j dropped barricade[p][j].
 */
#include "algorithm.h"

enum { OWN_LASTING = 0, CAPTURES = false };
#define TOLD "session"

#include "doorway_4_1.h"

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	return (is_conflict_free(self) || A_poll(shared, self, wait) ||
		barricades_are_down(shared, self, wait)) &&
	       qualifies(self);
}

/* Serves both for leaving and for giving up. */
static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	forget_conflicts(self);
F4_4_18:	mem_write(told(shared, self->id), 0);
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_4_20:	mem_write(barricade(shared, shape, j, self->id), false);
		mem_wake(barricade(shared, shape, j, self->id));
	}
	A_exit_or_abort(shared, self); /* 22 */
}

static unsigned solo_steps(const struct shape *shape)
{
	return below_solo_steps(shape) + shape->n;
}

static uint64_t outside_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 5 * (uint64_t)(shape->n - 1) + 2;
}

/* If a write leaves the writer a valid copy, the first look at a barricade
 * costs nothing, because the process has written the barricade itself. */
static uint64_t outside_cc_keeps(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 4 * (uint64_t)(shape->n - 1) + 2;
}

static uint64_t outside_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 2 * (uint64_t)(shape->n - 1);
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return outside_cc(shape, contention) + below_rmr_cc(shape);
}

static uint64_t rmr_cc_keeps(const struct shape *shape, unsigned contention)
{
	return outside_cc_keeps(shape, contention) + below_rmr_cc(shape);
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	return outside_dsm(shape, contention) + below_rmr_dsm(shape);
}

const struct algorithm danek_fcfs = {
	.name = "danek-fcfs",
	.source = "Danek 2004, Figures 4.4 and 4.5",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | FCFS | CONCURRENT_ENTERING |
		    STRONG_CONCURRENT_ENTERING | CONCURRENT_OCCUPANCY |
		    NO_DEADLOCK | NO_STARVATION | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE | EXIT_TERMINATION | BOUNDED_ABORT |
		    NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	REDUCTION, .own_words = reduction_own_words, .abort = leave,
	.bounds = {
		REDUCTION_BOUNDS, .abort_steps = reduction_leave_steps,
		.rmr_cc = { rmr_cc, "5(n-1)+2 outside the component" },
		.rmr_cc_keeps = { rmr_cc_keeps,
				  "4(n-1)+2 outside the component" },
		.rmr_dsm = { rmr_dsm, "2(n-1) outside the component" },
	},
	.composition = {
		REDUCTION_COMPOSITION,
		.outside_cc = { outside_cc, "5(n-1)+2" },
		.outside_cc_keeps = { outside_cc_keeps, "4(n-1)+2" },
		.outside_dsm = { outside_dsm, "2(n-1)" },
	},
};
