/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Figure 4, for Theorem 3: a gate, a slow path for the processes that
 * get no slot of the gate, and a Block(k) for all processes.  At most k
 * processes come through the gate and at most k through the slow path, so at
 * most 2k reach the block.  The .c file of an algorithm must include the
 * headers of its cell (am_cell.h or am_dsm_cell.h) and of its gate (am_gate.h
 * or am_printed_gate.h) before this header.
 *
 * The words: the gate, then the slow path, then the block.
 */
#ifndef ATMOST_AM_FAST_PATH_H
#define ATMOST_AM_FAST_PATH_H

#include "am_slow_path.h"

enum { ONE_GATE = 1 };

static inline struct word *slow_path(void *shared)
{
	struct line *gate = shared;

	return &gate[1].word;
}

static inline struct row last_block(void *shared, const struct shape *shape)
{
	return row_block(slow_path(shared) + slow_words(shape, ONE_GATE), shape,
			 slow_own_words(shape, ONE_GATE));
}

static inline size_t fast_path_words(const struct shape *shape)
{
	struct row block = row_block(NULL, shape, 0);

	return WORDS(struct line) + slow_words(shape, ONE_GATE) +
	       row_words(&block);
}

/* Own words: first the own words of the cells, which persist; then whether the
 * process took the slow path. */
static inline unsigned fast_path_persistent(const struct shape *shape)
{
	return slow_own_words(shape, ONE_GATE) +
	       CELL_OWN_WORDS * block_cells(shape);
}

static inline unsigned fast_path_own_words(const struct shape *shape)
{
	return fast_path_persistent(shape) + 1;
}

static inline void fast_path_init(void *shared, const struct shape *shape)
{
	struct row block = last_block(shared, shape);

	gate_init(shared, shape, 0);
	slow_init(slow_path(shared), shape, ONE_GATE);
	row_init(&block, slow_cells(shape, ONE_GATE));
}

static inline bool fast_path_quiet(void *shared, const struct shape *shape)
{
	struct row block = last_block(shared, shape);

	return gate_quiet(shared, shape) &&
	       slow_quiet(slow_path(shared), shape, ONE_GATE) &&
	       row_quiet(&block);
}

static inline int fast_path_enter(void *shared, struct process *self)
{
	struct row block = last_block(shared, self->shape);
	bool slow = !gate_take(shared, self); /* 2, 3 */

	mem_own_write(self, fast_path_persistent(self->shape), slow);
	if (slow)
		slow_enter(slow_path(shared), self, ONE_GATE); /* 4 */
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
		slow_leave(slow_path(shared), self, ONE_GATE); /* 8 */
	else
		gate_give(shared);
}

static inline unsigned fast_path_leave_steps(const struct shape *shape)
{
	return CELL_LEAVE_STEPS * (slow_path_cells(shape, ONE_GATE) +
				   block_cells(shape)) + 1;
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
