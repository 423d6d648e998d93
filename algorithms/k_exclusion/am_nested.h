/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Figure 3b, for Theorem 4: nested fast paths, so that the path to the
 * critical section gets longer only with more contention.  The .c file of an
 * algorithm must include the header of its cell (am_cell.h or am_dsm_cell.h)
 * before this header.
 *
 * A process tries gates 0, 1, ... in turn.  A process with a slot of gate f
 * goes through the blocks f, f-1, ..., 0.  A process without a slot goes first
 * through the tree, which has room for all n processes, and then through all
 * blocks.  (With the paper's gates a block for 2k processes could replace the
 * tree: see am_gate.h.)
 *
 * The words: the gates, then the tree, then the blocks.
 */
#ifndef ATMOST_AM_NESTED_H
#define ATMOST_AM_NESTED_H

#include "am_gate.h"
#include "am_tree.h"

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
	struct row first = row_block(innermost(shared, shape) +
					     tree_words(shape), shape,
				     tree_own_words(shape));

	first.cell.words += f * row_words(&first);
	first.cell.own += f * CELL_OWN_WORDS * shape->k;
	return first;
}

static inline size_t nested_words(const struct shape *shape)
{
	struct row block = row_block(NULL, shape, 0);

	return nested_gates(shape) * (WORDS(struct line) + row_words(&block)) +
	       tree_words(shape);
}

/* Own words: first the own words of the cells, which persist; then the result
 * of first_gate. */
static inline unsigned nested_persistent(const struct shape *shape)
{
	return tree_own_words(shape) +
	       CELL_OWN_WORDS * nested_gates(shape) * shape->k;
}

static inline unsigned nested_own_words(const struct shape *shape)
{
	return nested_persistent(shape) + 1;
}

static inline void nested_init(void *shared, const struct shape *shape)
{
	tree_init(innermost(shared, shape), shape);
	for (unsigned f = 0; f < nested_gates(shape); f++) {
		struct row block = nested_block(shared, shape, f);

		gate_init(gate(shared, f), shape, f);
		row_init(&block, tree_cells(shape) + f * shape->k);
	}
}

static inline bool nested_quiet(void *shared, const struct shape *shape)
{
	for (unsigned f = 0; f < nested_gates(shape); f++) {
		struct row block = nested_block(shared, shape, f);

		if (!gate_quiet(gate(shared, f), shape) || !row_quiet(&block))
			return false;
	}
	return tree_quiet(innermost(shared, shape), shape);
}

/* Returns the first gate that gives the process a slot, or the number of gates
 * if no gate does. */
static inline unsigned first_gate(void *shared, struct process *self)
{
	unsigned f = 0;

	while (f < nested_gates(self->shape) && !gate_take(gate(shared, f)))
		f++;
	return f;
}

static inline int nested_enter(void *shared, struct process *self)
{
	unsigned f = first_gate(shared, self);

	mem_own_write(self, nested_persistent(self->shape), f);
	if (f == nested_gates(self->shape))
		tree_enter(innermost(shared, self->shape), self);
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
		tree_leave(innermost(shared, self->shape), self);
	else
		gate_give(gate(shared, f));
}

static inline unsigned nested_leave_steps(const struct shape *shape)
{
	return tree_leave_steps(shape) + 1 +
	       CELL_LEAVE_STEPS * shape->k * nested_gates(shape);
}

#endif
