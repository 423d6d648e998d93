/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-induction: k-exclusion by n-k cells in a row, each of which holds back
 * one process.
 *
 * Idea      A cell of capacity c lets c of at most c+1 processes pass.  Cells
 *           of capacity n-1, n-2, ..., k one after the other leave k.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 2 and Theorem 1.
 * Shape     any n, any k >= 1 (k >= n needs no cell)
 * Promises  at-most-k; no-starvation with k-1 crashes; bounded-leave;
 *           no-lost-wake; quiescence
 * Costs     2(n-k) words; CC 7(n-k) RMRs; DSM unbounded: Q is everybody's
 * Invariant X of a cell is c minus the number of processes between 3 and 6 of
 *           it; X < 0 means that one is at 3, or at 4 or 5 with Q naming it.
 */
#include "algorithm.h"

struct cell {
	OWN_LINE struct word X; /* room left, -1..c as signed */
	OWN_LINE struct word Q; /* who waits here, if X < 0 */
};

static unsigned cells(const struct shape *shape)
{
	return shape->n > shape->k ? shape->n - shape->k : 0;
}

static size_t words(const struct shape *shape)
{
	return cells(shape) * WORDS(struct cell);
}

static void init(void *shared, const struct shape *shape)
{
	struct cell *cell = shared;

	for (unsigned i = 0; i < cells(shape); i++) {
		mem_poke(&cell[i].X, shape->n - 1 - i);
		mem_poke(&cell[i].Q, 0);
		mem_name(&cell[i].X, "X", i);
		mem_name(&cell[i].Q, "Q", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct cell *cell = shared;

	for (unsigned i = 0; i < cells(shape); i++)
		if (mem_peek(&cell[i].X) != shape->n - 1 - i)
			return false;
	return true;
}

static void enter_cell(struct cell *cell, struct process *self)
{
	int64_t x;
	uint64_t q;

L2:	x = (int64_t)mem_add(&cell->X, (uint64_t)-1);
	if (x != 0)
		return;
L3:	mem_write(&cell->Q, self->id);
	mem_wake(&cell->Q); /* releases whoever waited here before us */
L4:	x = (int64_t)mem_read(&cell->X);
	if (x >= 0)
		return;
L5:	await(q, &cell->Q, q != self->id);
}

static void leave_cell(struct cell *cell, struct process *self)
{
L6:	mem_add(&cell->X, 1);
L7:	mem_write(&cell->Q, self->id);
	mem_wake(&cell->Q);
}

static int enter(void *shared, struct process *self)
{
	struct cell *cell = shared;

	for (unsigned i = 0; i < cells(self->shape); i++)
		enter_cell(&cell[i], self);
	return 0;
}

/* In the opposite order: a cell counts on those before it. */
static void leave(void *shared, struct process *self)
{
	struct cell *cell = shared;

	for (unsigned i = cells(self->shape); i-- > 0;)
		leave_cell(&cell[i], self);
}

static unsigned leave_steps(const struct shape *shape)
{
	return 2 * cells(shape);
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 7 * (uint64_t)cells(shape);
}

const struct algorithm am_induction = {
	.name = "am-induction",
	.source = "Anderson and Moir 1994, Figure 2",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    NO_LOST_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.tolerates_crashes = true,
	.least_n = 1, .least_k = 1,
	.words = words, .init = init, .quiet = quiet,
	.enter = enter, .leave = leave, .leave_steps = leave_steps,
	.rmr_cc = { rmr_cc, "7(n-k)" },
	.rmr_dsm = { NULL, "unbounded: waits on Q of the cell" },
};
