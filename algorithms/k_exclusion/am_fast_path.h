/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Figure 4, for Theorem 3: a gate, a slow path for the processes that
 * get no slot of the gate, and a Block(k) for all processes.  At most k
 * processes come through the gate and at most k through the slow path, so at
 * most 2k reach the block.  The .c file of an algorithm must include the header
 * of its cell (am_cell.h or am_dsm_cell.h) before this header.
 *
 * The words: the gate, then the tree that is the slow path, then the block.
 */
#ifndef ATMOST_AM_FAST_PATH_H
#define ATMOST_AM_FAST_PATH_H

#include "am_gate.h"
#include "am_tree.h"

static inline struct word *slow_path(void *shared)
{
	struct line *gate = shared;

	return &gate[1].word;
}

static inline struct row last_block(void *shared, const struct shape *shape)
{
	return row_block(slow_path(shared) + tree_words(shape), shape,
			 tree_own_words(shape));
}

static inline size_t fast_path_words(const struct shape *shape)
{
	struct row block = row_block(NULL, shape, 0);

	return WORDS(struct line) + tree_words(shape) + row_words(&block);
}

/* Own words: first the own words of the cells, which persist; then whether the
 * process took the slow path. */
static inline unsigned fast_path_persistent(const struct shape *shape)
{
	return tree_own_words(shape) + CELL_OWN_WORDS * block_cells(shape);
}

static inline unsigned fast_path_own_words(const struct shape *shape)
{
	return fast_path_persistent(shape) + 1;
}

static inline void fast_path_init(void *shared, const struct shape *shape)
{
	struct row block = last_block(shared, shape);

	gate_init(shared, shape, 0);
	tree_init(slow_path(shared), shape);
	row_init(&block, tree_cells(shape));
}

static inline bool fast_path_quiet(void *shared, const struct shape *shape)
{
	struct row block = last_block(shared, shape);

	return gate_quiet(shared, shape) &&
	       tree_quiet(slow_path(shared), shape) && row_quiet(&block);
}

static inline int fast_path_enter(void *shared, struct process *self)
{
	struct row block = last_block(shared, self->shape);
	bool slow = !gate_take(shared); /* 2, 3 */

	mem_own_write(self, fast_path_persistent(self->shape), slow);
	if (slow)
		tree_enter(slow_path(shared), self); /* 4 */
	row_enter(&block, self); /* 5 */
	return 0;
}

/* The process leaves the block first: the block relies on the gate and the slow
 * path to let at most 2k processes in. */
static inline void fast_path_leave(void *shared, struct process *self)
{
	struct row block = last_block(shared, self->shape);

	row_leave(&block, self); /* 6 */
	if (mem_own_read(self, fast_path_persistent(self->shape)))
		tree_leave(slow_path(shared), self); /* 8 */
	else
		gate_give(shared);
}

static inline unsigned fast_path_leave_steps(const struct shape *shape)
{
	return tree_leave_steps(shape) + CELL_LEAVE_STEPS * block_cells(shape) + 1;
}

static inline uint64_t fast_path_remote(const struct shape *shape,
					unsigned contention)
{
	uint64_t block = CELL_REMOTE * (uint64_t)shape->k;

	if (contention <= shape->k)
		return block + 2;
	return block * (tree_levels(shape) + 1) + 2;
}

#endif
