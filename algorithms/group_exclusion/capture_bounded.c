/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture-bounded: group exclusion over an abortable mutex A, by reads and
 * writes of bounded variables only; a whole group enters together.
 *
 * Idea      As capture-rw, but a status contains only the last bit of the
 *           passage number, and a process captures other processes only if it
 *           sees a conflict.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 5.9, 5.3 and 5.7.
 * Shape     any n, sessions below 2^32, no limit k
 * Promises  session-exclusion; concurrent-entering; concurrent-occupancy;
 *           no-starvation; bounded-doorway; bounded-leave; exit-termination;
 *           no-lost-wake; prompt-wake; quiescence.  A waiter cannot give up:
 *           see docs/algorithms/capture-bounded.md.
 * Costs     2n + n*n words and the words of A; DSM 8(n-1)-1 RMRs outside A; CC
 *           O(n)
 * Invariant Between the read of a status (line 31) and the write of the capture
 *           (line 33) the captured process does not complete two passages, so
 *           one bit is enough.
 */
#include "algorithm.h"

/* OWN_PASSAGE, the last bit of the passage number, persists between
 * passages. */
enum { OWN_PASSAGE, OWN_LASTING, CAPTURES = true };
#define TOLD "statusCS"

#include "capture.h"

/* A status of 0 means that the process asks for no session. */
static uint64_t status(uint64_t session, uint64_t passage)
{
	return session << 1 | passage;
}

/* Returns the value of a capture of the passage with this bit.  The value 0
 * means no capture. */
static uint64_t capture(uint64_t passage)
{
	return passage + 1;
}

static uint64_t session_of(uint64_t status)
{
	return status >> 1;
}

static uint64_t passage_of(uint64_t status)
{
	return status & 1;
}

static bool is_other(const struct process *self, uint64_t status)
{
	return session_of(status) != 0 && session_of(status) != self->session;
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t passage = 1 - mem_own_read(self, OWN_PASSAGE); /* 3 */
	uint64_t v;

	mem_own_write(self, OWN_PASSAGE, passage);
F5_9_4:	mem_write(capture_of(shared, shape, self->id), 0);
F5_9_5:	mem_write(told(shared, self->id), status(self->session, passage));
	A_doorway(shared, self); /* 6 */
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_9_9:		mem_write(barricade(shared, shape, self->id, j), true);
F5_9_10:	v = mem_read(told(shared, j));
		if (is_other(self, v))
			add_conflict(self, j);
	}
	doorway_ends(self);
	return is_conflict_free(self);
}

static bool is_captured(void *shared, struct process *self,
			struct wait_set *wait)
{
	struct word *mine = capture_of(shared, self->shape, self->id);
	uint64_t c;

F5_7_1:	c = mem_read(mine);
	if (c == capture(mem_own_read(self, OWN_PASSAGE)))
		return true;
	wait_for_change(wait, mine, c);
	return false;
}

/* Wait for each captured process of another session. */
static void wait_for_insiders(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t first, captured, v, b;

	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_9_22:	mem_write(barricade(shared, shape, self->id, j), true);
F5_9_23:	first = mem_read(told(shared, j));
F5_9_24:	captured = mem_read(capture_of(shared, shape, j));
F5_9_25:	v = mem_read(told(shared, j));
		if (v == first && is_other(self, v) &&
		    capture(passage_of(v)) == captured)
F5_9_26:		await(b, barricade(shared, shape, self->id, j), !b);
	}
}

static bool meets_a_conflict(void *shared, struct process *self)
{
	uint64_t v;

	for (unsigned j = 0; j < self->shape->n; j++) {
		if (j == self->id)
			continue;
F5_9_29:	v = mem_read(told(shared, j));
		if (is_other(self, v))
			return true;
	}
	return false;
}

static void settle(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v;

	wait_for_insiders(shared, self);
	if (!is_mutex_qualified(self) || !meets_a_conflict(shared, self))
		return;
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_9_31:	v = mem_read(told(shared, j));
		if (session_of(v) != self->session)
			continue;
F5_9_33:	mem_write(capture_of(shared, shape, j),
			  capture(passage_of(v)));
		mem_wake(capture_of(shared, shape, j));
	}
}

static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

F5_9_38:	mem_write(told(shared, self->id), 0);
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_9_40:	mem_write(barricade(shared, shape, j, self->id), false);
		mem_wake(barricade(shared, shape, j, self->id));
	}
	A_exit_or_abort(shared, self); /* 42 */
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 2 + below_doorway_steps(shape) + 2 * (shape->n - 1);
}

static unsigned solo_steps(const struct shape *shape)
{
	return below_solo_steps(shape) + 10 * shape->n;
}

static uint64_t outside_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return shape->n > 1 ? 8 * (uint64_t)(shape->n - 1) - 1 : 0;
}

const struct algorithm capture_bounded = {
	.name = "capture-bounded",
	.source = "Danek 2004, Figures 5.9, 5.3 and 5.7",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | EXIT_TERMINATION |
		    NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	/* A status is a session and a bit in one word. */
	.limits = { .most_sessions = UINT32_MAX },
	REDUCTION, .own_words = reduction_own_words,
	.settle = settle,
	.bounds = {
		REDUCTION_BOUNDS,
		.rmr_cc = { NULL, "O(n)" },
		.rmr_dsm = { rmr_dsm, "8(n-1)-1 outside the component" },
	},
	.composition = {
		REDUCTION_COMPOSITION,
		.outside_dsm = { outside_dsm, "8(n-1)-1" },
	},
};
