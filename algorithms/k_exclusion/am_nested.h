/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Figure 3b, for Theorem 4: nested fast paths, so that the path to the
 * critical section gets longer only with more contention.  The .c file of an
 * algorithm must include the headers of its cell (am_cell.h or am_dsm_cell.h)
 * and of its gate (am_gate.h or am_printed_gate.h) before this header.
 *
 * A process tries gates 0, 1, ... in turn.  A process with a slot of gate f
 * goes through the blocks f, f-1, ..., 0.  A process without a slot goes first
 * through the slow path and then through all blocks.  With the paper's gates
 * the slow path is a block for 2k processes; with ours it is a tree, which has
 * room for all n processes (am_slow_path.h).
 *
 * The words: the gates, then the slow path, then the blocks.
 */
#ifndef ATMOST_AM_NESTED_H
#define ATMOST_AM_NESTED_H

#include "am_slow_path.h"

/* The number of gates, which is also the number of blocks. */
static inline unsigned nested_gates(const struct shape *shape)
{
	unsigned groups = tree_groups(shape);

	return groups > 2 ? groups - 2 : 0;
}

static inline struct word *gate(void *shared, unsigned f)
{
	struct line *gates = shared;

	return &gates[f].word;
}

static inline struct word *innermost(void *shared, const struct shape *shape)
{
	return gate(shared, nested_gates(shape));
}

static inline struct row nested_block(void *shared, const struct shape *shape,
				      unsigned f)
{
	unsigned gates = nested_gates(shape);
	struct row first = row_block(innermost(shared, shape) +
					     slow_words(shape, gates), shape,
				     slow_own_words(shape, gates));

	first.cell.words += f * row_words(&first);
	first.cell.own += f * CELL_OWN_WORDS * shape->k;
	return first;
}

static inline size_t nested_words(const struct shape *shape)
{
	struct row block = row_block(NULL, shape, 0);
	unsigned gates = nested_gates(shape);

	return gates * (WORDS(struct line) + row_words(&block)) +
	       slow_words(shape, gates);
}

/* Own words: first the own words of the cells, which persist; then the result
 * of first_gate. */
static inline unsigned nested_persistent(const struct shape *shape)
{
	return slow_own_words(shape, nested_gates(shape)) +
	       CELL_OWN_WORDS * nested_gates(shape) * shape->k;
}

static inline unsigned nested_own_words(const struct shape *shape)
{
	return nested_persistent(shape) + 1;
}

static inline void nested_init(void *shared, const struct shape *shape)
{
	unsigned gates = nested_gates(shape);

	slow_init(innermost(shared, shape), shape, gates);
	for (unsigned f = 0; f < gates; f++) {
		struct row block = nested_block(shared, shape, f);

		gate_init(gate(shared, f), shape, f);
		row_init(&block, slow_cells(shape, gates) + f * shape->k);
	}
}

static inline bool nested_quiet(void *shared, const struct shape *shape)
{
	for (unsigned f = 0; f < nested_gates(shape); f++) {
		struct row block = nested_block(shared, shape, f);

		if (!gate_quiet(gate(shared, f), shape) || !row_quiet(&block))
			return false;
	}
	return slow_quiet(innermost(shared, shape), shape, nested_gates(shape));
}

/* Returns the first gate that gives the process a slot, or the number of gates
 * if no gate does. */
static inline unsigned first_gate(void *shared, struct process *self)
{
	unsigned f = 0;

	while (f < nested_gates(self->shape) &&
	       !gate_take(gate(shared, f), self))
		f++;
	return f;
}

static inline int nested_enter(void *shared, struct process *self)
{
	unsigned gates = nested_gates(self->shape);
	unsigned f = first_gate(shared, self);

	mem_own_write(self, nested_persistent(self->shape), f);
	if (f == gates)
		slow_enter(innermost(shared, self->shape), self, gates);
	else
		f++;
	while (f-- > 0) {
		struct row block = nested_block(shared, self->shape, f);

		row_enter(&block, self);
	}
	return 0;
}

static inline void nested_leave(void *shared, struct process *self)
{
	unsigned gates = nested_gates(self->shape);
	unsigned f = (unsigned)mem_own_read(self,
					    nested_persistent(self->shape));

	for (unsigned i = 0; i <= f && i < gates; i++) {
		struct row block = nested_block(shared, self->shape, i);

		row_leave(&block, self);
	}
	/* The test is not f == gates: f may be damaged and larger, because own
	 * words are in shared memory. */
	if (f >= gates)
		slow_leave(innermost(shared, self->shape), self, gates);
	else
		gate_give(gate(shared, f));
}

static inline unsigned nested_leave_steps(const struct shape *shape)
{
	unsigned gates = nested_gates(shape);

	return CELL_LEAVE_STEPS * (slow_path_cells(shape, gates) +
				   shape->k * gates) + 1;
}

/*
 * This bound holds with any gates.  A process makes at most two steps at each
 * gate, and passes at most all blocks and the slow path.  If at most k
 * processes compete, each gets a slot of gate 0.
 */
static inline uint64_t nested_remote(const struct shape *shape,
				     unsigned contention)
{
	uint64_t gates = nested_gates(shape);
	uint64_t slow = slow_path_cells(shape, (unsigned)gates);

	if (gates > 0 && contention <= shape->k)
		return CELL_REMOTE * (uint64_t)shape->k + 2;
	return CELL_REMOTE * (gates * shape->k + slow) + 2 * gates;
}

/* With the gates of the paper: ceil(c/k)(7k+2), or (14k+2) in DSM. */
static inline uint64_t nested_theorem(const struct shape *shape,
				      unsigned contention)
{
	uint64_t groups = (contention + shape->k - 1) / shape->k;

	return groups * (CELL_REMOTE * (uint64_t)shape->k + 2);
}

#endif
