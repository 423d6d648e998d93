/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * danek-fife: group exclusion over an abortable mutex A, first come first
 * served and first in first enabled; local spin in DSM.
 *
 * Idea      As danek-fcfs.  In addition, a process that need not wait any
 *           longer captures every waiter of its session whose doorway ended
 *           before its own doorway began.  A captured waiter can enter, too.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 4.7, 4.5 and 4.8.
 * Shape     any n, sessions below 65536, no limit k
 * Promises  session-exclusion; fcfs; fife; concurrent-entering;
 *           strong-concurrent-entering; concurrent-occupancy; no-starvation;
 *           bounded-doorway; bounded-leave; exit-termination; bounded-abort;
 *           no-lost-wake; prompt-wake; quiescence
 * Costs     2n + n*n words and the words of A; DSM 5(n-1) RMRs outside A; CC
 *           O(n)
 * Invariant A capture contains the number of the captured passage.  A capture
 *           of a passage that is over lets no process in.
 */
#include "algorithm.h"

/* OWN_PASSAGE, the number of the passage, persists between passages. */
enum { OWN_PASSAGE, OWN_LASTING, CAPTURES = true };
#define TOLD "statusCS"

#include "capture.h"

/*
 * There is one more own word for each process j.  If j was waiting with our
 * session when our doorway began, the word is the value of statusCS[j] at that
 * time.  Otherwise it is 0, because we must not capture j.
 */
static unsigned before_us(const struct shape *shape)
{
	return reduction_own_words(shape);
}

static unsigned own_words(const struct shape *shape)
{
	return before_us(shape) + shape->n;
}

/* A status has a session and a passage number, which is 0 until the doorway has
 * ended.  A status of 0 means that the process asks for no session. */
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

static void look_who_is_before_us(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v;

	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_7_5:		v = mem_read(told(shared, j));
		if (session_of(v) == self->session && passage_of(v) != 0)
			mem_own_write(self, before_us(shape) + j, v);
	}
}

static void forget_who_is_before_us(struct process *self)
{
	for (unsigned j = 0; j < self->shape->n; j++)
		mem_own_write(self, before_us(self->shape) + j, 0);
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v;

	mem_own_write(self, OWN_PASSAGE, next_passage(self)); /* 3 */
	look_who_is_before_us(shared, self);
F4_7_7:	mem_write(told(shared, self->id), status(self->session, 0));
	A_doorway(shared, self); /* 8 */
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_7_11:	mem_write(barricade(shared, shape, self->id, j), true);
F4_7_12:	v = session_of(mem_read(told(shared, j)));
		if (v != 0 && v != self->session)
			add_conflict(self, j);
	}
	/* The status gets the passage number only now, because a process must
	 * not be captured before it has found its conflicts. */
F4_7_16:	mem_write(told(shared, self->id),
		  status(self->session, mem_own_read(self, OWN_PASSAGE)));
	doorway_ends(self);
	return is_conflict_free(self);
}

static bool is_captured(void *shared, struct process *self,
			struct wait_set *wait)
{
	struct word *capture = capture_of(shared, self->shape, self->id);
	uint64_t c;

F4_8_1:	c = mem_read(capture);
	if (c == mem_own_read(self, OWN_PASSAGE))
		return true;
	wait_for_change(wait, capture, c);
	return false;
}

/* Capture each process that was waiting for our session when our doorway began,
 * and that still waits in the same passage. */
static void settle(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t v, was;

	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_7_25:	v = mem_read(told(shared, j));
		was = mem_own_read(self, before_us(shape) + j);
		mem_own_write(self, before_us(shape) + j, 0);
		if (was == 0 || v != was)
			continue;
F4_7_26:	mem_write(capture_of(shared, shape, j), passage_of(v));
		mem_wake(capture_of(shared, shape, j));
	}
}

/* Serves both for leaving and for giving up. */
static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	forget_conflicts(self);
	forget_who_is_before_us(self);
F4_7_30:	mem_write(told(shared, self->id), 0);
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_7_32:	mem_write(barricade(shared, shape, j, self->id), false);
		mem_wake(barricade(shared, shape, j, self->id));
	}
	A_exit_or_abort(shared, self); /* 34 */
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 2 + below_doorway_steps(shape) + 3 * (shape->n - 1);
}

static unsigned solo_steps(const struct shape *shape)
{
	return below_solo_steps(shape) + 4 * shape->n;
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
	return 5 * (uint64_t)(shape->n - 1);
}

const struct algorithm danek_fife = {
	.name = "danek-fife",
	.source = "Danek 2004, Figures 4.7, 4.5 and 4.8",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | FCFS | FIFE | CONCURRENT_ENTERING |
		    STRONG_CONCURRENT_ENTERING | CONCURRENT_OCCUPANCY |
		    NO_DEADLOCK | NO_STARVATION | BOUNDED_DOORWAY |
		    BOUNDED_LEAVE | EXIT_TERMINATION | BOUNDED_ABORT |
		    NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.counter = counter,
	.limits = { .most_sessions = 65535 },
	REDUCTION, .own_words = own_words,
	.settle = settle, .abort = leave,
	.bounds = {
		REDUCTION_BOUNDS, .abort_steps = reduction_leave_steps,
		.rmr_cc = { NULL, "O(n)" },
		.rmr_dsm = { rmr_dsm, "5(n-1) outside the component" },
	},
	.composition = {
		REDUCTION_COMPOSITION,
		.outside_dsm = { outside_dsm, "5(n-1)" },
	},
};
