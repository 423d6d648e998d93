/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture-cas: group exclusion over an abortable mutex A, with local spin in
 * DSM; a whole group enters together.
 *
 * Idea      A process qualifies when it gets the mutex, when its conflicts are
 *           gone, or when it is captured.  Then it waits for the processes of
 *           other sessions that are inside.  If it holds the mutex, it
 *           captures, by compare-and-swap, all processes that ask for its
 *           session.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 5.2, 5.3 and 5.4.
 * Shape     any n, sessions below 2^32, no limit k
 * Promises  session-exclusion; concurrent-entering; concurrent-occupancy;
 *           no-starvation; bounded-doorway; bounded-leave; exit-termination;
 *           bounded-abort; no-lost-wake; prompt-wake; quiescence
 * Costs     n + n*n words and the words of A; outside A, DSM 4(n-1) RMRs, CC
 *           10(n-1)+4 with a smart cache, otherwise 11(n-1)+4
 * Invariant Only the holder of A captures.  The processes that it captures are
 *           IN before it enters.
 */
#include "algorithm.h"

enum { OWN_LASTING = 0, CAPTURES = false };
#define TOLD "statusCS"

#include "capture.h"

/* The values of a status: 0 (the figure's OUT), REQ and IN. */
static uint64_t REQ(uint64_t session)
{
	return session << 1;
}

static uint64_t IN(uint64_t session)
{
	return session << 1 | 1;
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v;

F5_2_3:	mem_write(told(shared, self->id), REQ(self->session));
	A_doorway(shared, self); /* 4 */
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_2_7:		mem_write(barricade(shared, shape, self->id, j), true);
F5_2_8:		v = mem_read(told(shared, j));
		if (v != 0 && v >> 1 != self->session)
			add_conflict(self, j);
	}
	doorway_ends(self);
	return is_conflict_free(self);
}

static bool is_captured(void *shared, struct process *self,
			struct wait_set *wait)
{
	uint64_t v;

F5_4_1:	v = mem_read(told(shared, self->id));
	if (v == IN(self->session))
		return true;
	wait_for_change(wait, told(shared, self->id), v);
	return false;
}

/* Wait for each process of another session that is inside. */
static void wait_for_insiders(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v, b;

	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_2_20:	mem_write(barricade(shared, shape, self->id, j), true);
F5_2_21:	v = mem_read(told(shared, j));
		if ((v & 1) && v != IN(self->session))
F5_2_22:		await(b, barricade(shared, shape, self->id, j), !b);
	}
}

static void settle(void *shared, struct process *self)
{
	bool ok;

	wait_for_insiders(shared, self);
	/* Only the holder of the mutex captures.  Otherwise j could be captured
	 * and enter together with a process of another session, which read the
	 * status of j before the capture and enters after the capture. */
	if (!is_mutex_qualified(self)) /* 25 */
		return;
	for (unsigned j = 0; j < self->shape->n; j++) {
		if (j == self->id)
			continue;
F5_2_27:	ok = mem_cas(told(shared, j), REQ(self->session),
			     IN(self->session));
		if (ok)
			mem_wake(told(shared, j));
	}
}

/* Serves both for leaving and for giving up. */
static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	forget_conflicts(self);
F5_2_31:	mem_write(told(shared, self->id), 0);
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_2_33:	mem_write(barricade(shared, shape, j, self->id), false);
		mem_wake(barricade(shared, shape, j, self->id));
	}
	A_exit_or_abort(shared, self); /* 35 */
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 1 + below_doorway_steps(shape) + 2 * (shape->n - 1);
}

static unsigned solo_steps(const struct shape *shape)
{
	return below_solo_steps(shape) + 5 * shape->n;
}

static uint64_t outside_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 4 * (uint64_t)(shape->n - 1);
}

/* For each j, lines 7, 8, 20, 21, 27 and 33 cost 1 each, and the process reads
 * the barricade of j at most twice before it qualifies and twice at line 22.
 * Lines 3 and 31 cost 1 each, and the process reads its status twice. */
static uint64_t outside_cc_smart(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 10 * (uint64_t)(shape->n - 1) + 4;
}

/* While a process p waits, line 27 of each other process may fail once at the
 * status of p: a process that makes line 27 has A, and A is first come first
 * served. */
static uint64_t outside_cc(const struct shape *shape, unsigned contention)
{
	return outside_cc_smart(shape, contention) + shape->n - 1;
}

static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	return outside_cc_smart(shape, contention) + below_rmr_cc_smart(shape);
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return outside_cc(shape, contention) + below_rmr_cc(shape);
}

const struct algorithm capture_cas = {
	.name = "capture-cas",
	.source = "Danek 2004, Figures 5.2, 5.3 and 5.4",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | EXIT_TERMINATION |
		    BOUNDED_ABORT | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	/* A status is a session and a bit in one word. */
	.limits = { .most_sessions = UINT32_MAX },
	REDUCTION, .own_words = reduction_own_words,
	.settle = settle, .abort = leave,
	.bounds = {
		REDUCTION_BOUNDS, .abort_steps = reduction_leave_steps,
		.rmr_cc = { rmr_cc, "11(n-1)+4 outside the component" },
		.rmr_cc_smart = { rmr_cc_smart,
				  "10(n-1)+4 outside the component" },
		.rmr_dsm = { rmr_dsm, "4(n-1) outside the component" },
	},
	.composition = {
		REDUCTION_COMPOSITION,
		.outside_cc = { outside_cc, "11(n-1)+4" },
		.outside_cc_smart = { outside_cc_smart, "10(n-1)+4" },
		.outside_dsm = { outside_dsm, "4(n-1)" },
	},
};
