/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jayanti-gme: group exclusion over an abortable mutex A, first come first
 * served; local spin in CC.
 *
 * Idea      A process enters when it gets the mutex, or when its conflicts are
 *           gone.  The conflicts of a process are the processes that it saw
 *           with another session in its doorway.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 4.1 and 4.2; after Jayanti, Petrovic and Tan 2003.
 * Shape     any n, any session numbers, no limit k
 * Promises  session-exclusion; fcfs; fife; concurrent-entering;
 *           strong-concurrent-entering; concurrent-occupancy; no-starvation;
 *           bounded-doorway; bounded-leave; exit-termination; bounded-abort;
 *           no-lost-wake; prompt-wake; quiescence
 * Costs     n + n*n words and the words of A; CC 8(n-1)+2 RMRs outside A; DSM
 *           unbounded: waits on session[j]
 * Invariant Let j be in the conflicts of p.  When p read the session of j in
 *           its doorway, j asked for another session.  Since then p has not
 *           seen that j withdrew this session.
 */
#include "algorithm.h"

enum { OWN_LASTING = 0, CAPTURES = false };
#define TOLD "session"

#include "doorway_4_1.h"

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	const struct shape *shape = self->shape;
	uint64_t s, b;
	unsigned j;

	if (is_conflict_free(self))
		return true;
	if (A_poll(shared, self, wait))
		return qualifies(self);
	for (; (j = first_conflict(self)) < shape->n; drop_conflict(self, j)) {
F4_2_3:		s = mem_read(told(shared, j));
		if (s == 0 || s == self->session)
			continue;
F4_2_6:		b = mem_read(barricade(shared, shape, self->id, j));
		if (!b)
			continue;
		/* When j leaves, it wakes the sleepers on its session before it
		 * writes the barricade.  If p is slow to compare, j may ask for
		 * the same session again; then p sees that the barricade is
		 * down. */
		wait_for_change(wait, told(shared, j), s);
		wait_for_change(wait, barricade(shared, shape, self->id, j),
				b);
		return false;
	}
	return true;
}

/* Serves both for leaving and for giving up. */
static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	forget_conflicts(self);
	A_exit_or_abort(shared, self); /* 18 */
F4_1_23:	mem_write(told(shared, self->id), 0);
	mem_wake(told(shared, self->id));
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_1_25:	mem_write(barricade(shared, shape, j, self->id), false);
	}
}

static unsigned solo_steps(const struct shape *shape)
{
	return below_solo_steps(shape) + 2 * shape->n;
}

static uint64_t outside_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 8 * (uint64_t)(shape->n - 1) + 2;
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return outside_cc(shape, contention) + below_rmr_cc(shape);
}

const struct algorithm jayanti_gme = {
	.name = "jayanti-gme",
	.source = "Danek 2004, Figures 4.1 and 4.2 (Jayanti et al. 2003)",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | FCFS | FIFE | CONCURRENT_ENTERING |
		    STRONG_CONCURRENT_ENTERING | CONCURRENT_OCCUPANCY |
		    NO_DEADLOCK | NO_STARVATION | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE | EXIT_TERMINATION | BOUNDED_ABORT |
		    NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	REDUCTION, .own_words = reduction_own_words, .abort = leave,
	.bounds = {
		REDUCTION_BOUNDS, .abort_steps = reduction_leave_steps,
		.rmr_cc = { rmr_cc, "8(n-1)+2 outside the component" },
		.rmr_dsm = { NULL, "unbounded: waits on session[j]" },
	},
	.composition = {
		REDUCTION_COMPOSITION,
		.outside_cc = { outside_cc, "8(n-1)+2" },
	},
};
