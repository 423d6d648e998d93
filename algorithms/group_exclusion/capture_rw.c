/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture-rw: group exclusion over an abortable mutex A, by reads and writes
 * only; a whole group enters together.
 *
 * Idea      As capture-cas, but besides its status each process has a word for
 *           captures, which holds the number of the captured passage.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 5.6, 5.3 and 5.7.
 * Shape     any n, sessions below 65536, no limit k
 * Promises  session-exclusion; concurrent-entering; concurrent-occupancy;
 *           no-starvation; bounded-doorway; bounded-leave; exit-termination;
 *           bounded-abort; no-lost-wake; prompt-wake; quiescence
 * Costs     2n + n*n words and the words of A; DSM 6(n-1) RMRs outside A; CC
 *           O(n)
 * Invariant Only the holder of A captures.  A capture of a passage that is over
 *           lets no process in.
 */
#include "algorithm.h"

/* OWN_PASSAGE, the number of the passage, persists between passages. */
enum { OWN_PASSAGE, OWN_LASTING, CAPTURES = true };
#define TOLD "statusCS"

#include "capture.h"

/* A status of 0 means that the process asks for no session. */
static uint64_t status(uint64_t session, uint64_t passage)
{
	return passage << 16 | session;
}

/* The own word is 0 before the first passage. */
static uint64_t next_passage(const struct process *self)
{
	uint64_t last = mem_own_read(self, OWN_PASSAGE);

	return (last ? last : mem_first(MOST_BELOW + self->id)) + 1;
}

static uint64_t session_of(uint64_t status)
{
	return status & 0xffff;
}

static uint64_t passage_of(uint64_t status)
{
	return status >> 16;
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t passage = next_passage(self); /* 3 */
	uint64_t v;

	mem_own_write(self, OWN_PASSAGE, passage);
F5_6_4:	mem_write(told(shared, self->id), status(self->session, passage));
	A_doorway(shared, self); /* 5 */
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_6_8:		mem_write(barricade(shared, shape, self->id, j), true);
F5_6_9:		v = session_of(mem_read(told(shared, j)));
		if (v != 0 && v != self->session)
			add_conflict(self, j);
	}
	doorway_ends(self);
	return is_conflict_free(self);
}

static bool is_captured(void *shared, struct process *self,
			struct wait_set *wait)
{
	struct word *capture = capture_of(shared, self->shape, self->id);
	uint64_t c;

F5_7_1:	c = mem_read(capture);
	if (c == mem_own_read(self, OWN_PASSAGE))
		return true;
	wait_for_change(wait, capture, c);
	return false;
}

/* Wait for each captured process of another session. */
static void wait_for_insiders(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t captured, v, b;

	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_6_21:	mem_write(barricade(shared, shape, self->id, j), true);
F5_6_22:	captured = mem_read(capture_of(shared, shape, j));
F5_6_23:	v = mem_read(told(shared, j));
		if (session_of(v) != 0 && session_of(v) != self->session &&
		    passage_of(v) == captured)
F5_6_24:		await(b, barricade(shared, shape, self->id, j), !b);
	}
}

static void settle(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v;

	wait_for_insiders(shared, self);
	if (!is_mutex_qualified(self)) /* 27 */
		return;
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_6_29:	v = mem_read(told(shared, j));
		if (session_of(v) != self->session)
			continue;
F5_6_31:	mem_write(capture_of(shared, shape, j), passage_of(v));
		mem_wake(capture_of(shared, shape, j));
	}
}

/* Serves both for leaving and for giving up. */
static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	forget_conflicts(self);
F5_6_36:	mem_write(told(shared, self->id), 0);
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F5_6_38:	mem_write(barricade(shared, shape, j, self->id), false);
		mem_wake(barricade(shared, shape, j, self->id));
	}
	A_exit_or_abort(shared, self); /* 40 */
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 1 + below_doorway_steps(shape) + 2 * (shape->n - 1);
}

static unsigned solo_steps(const struct shape *shape)
{
	return below_solo_steps(shape) + 8 * shape->n;
}

/*
 * Each process counts its passages.  Processes compare these numbers for
 * equality, alone and with the session in the lower bits.
 */
static bool counter(const struct shape *shape, unsigned number,
		    struct counter *rule)
{
	if (number < MOST_BELOW)
		return below_counter(shape, number, rule);
	*rule = (struct counter){ .gap = 1, .shift = { 16 } };
	return number < MOST_BELOW + shape->n;
}

static uint64_t outside_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 6 * (uint64_t)(shape->n - 1);
}

const struct algorithm capture_rw = {
	.name = "capture-rw",
	.source = "Danek 2004, Figures 5.6, 5.3 and 5.7",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | EXIT_TERMINATION |
		    BOUNDED_ABORT | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.counter = counter,
	.limits = { .most_sessions = 65535 },
	REDUCTION, .own_words = reduction_own_words,
	.settle = settle, .abort = leave,
	.bounds = {
		REDUCTION_BOUNDS, .abort_steps = reduction_leave_steps,
		.rmr_cc = { NULL, "O(n)" },
		.rmr_dsm = { rmr_dsm, "6(n-1) outside the component" },
	},
	.composition = {
		REDUCTION_COMPOSITION,
		.outside_dsm = { outside_dsm, "6(n-1)" },
	},
};
