/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Figure 3a, for Theorem 2: a tree of blocks.  The .c file of an
 * algorithm must include the header of its cell (am_cell.h or am_dsm_cell.h)
 * before this header.
 *
 * The leaves of the tree are groups of k processes: group g has the ids
 * g*k .. g*k+k-1.  Groups 0 and 1 share a Block(k), groups 2 and 3 share the
 * next block, and so on.  A block lets k of its 2k processes pass, and these k
 * are a group one level up.  If the number of groups on a level is odd, the
 * last group goes up without a block.  Level 0 is the level of the leaves.
 */
#ifndef ATMOST_AM_TREE_H
#define ATMOST_AM_TREE_H

#include "am_row.h"

static inline unsigned tree_groups(const struct shape *shape)
{
	return shape->k < shape->n ? (shape->n + shape->k - 1) / shape->k : 1;
}

/* Returns ceil(log2 of the number of groups). */
static inline unsigned tree_levels(const struct shape *shape)
{
	unsigned levels = 0;

	for (unsigned g = tree_groups(shape); g > 1; g = (g + 1) / 2)
		levels++;
	return levels;
}

/* Returns block number `block` of a level, at `words`. */
static inline struct row tree_row(struct word *words, const struct shape *shape,
				  unsigned level, unsigned block)
{
	unsigned most = shape->k << (level + 1), first = block * most;
	unsigned left = shape->n - first;

	return (struct row){
		.cell = { words, 2 * shape->k - 1, first,
			  left < most ? left : most,
			  CELL_OWN_WORDS * level * shape->k },
		.least = shape->k,
	};
}

/* All blocks of a level have the same size, except perhaps the last. */
static inline size_t level_words(const struct shape *shape, unsigned level,
				 unsigned blocks)
{
	struct row first = tree_row(NULL, shape, level, 0);
	struct row last = tree_row(NULL, shape, level, blocks - 1);

	return (blocks - 1) * row_words(&first) + row_words(&last);
}

/* Returns the number of words of all levels below `level`. */
static inline size_t words_below(const struct shape *shape, unsigned level)
{
	unsigned groups = tree_groups(shape);
	size_t words = 0;

	for (unsigned l = 0; l < level; l++, groups = (groups + 1) / 2)
		words += level_words(shape, l, groups / 2);
	return words;
}

static inline struct row tree_block(void *shared, const struct shape *shape,
				    unsigned level, unsigned block)
{
	struct row first = tree_row(NULL, shape, level, 0);
	struct word *words = shared;

	words += words_below(shape, level) + block * row_words(&first);
	return tree_row(words, shape, level, block);
}

/* Returns whether this process has a block on this level; if so, *row gets the
 * block. */
static inline bool tree_path(void *shared, const struct process *self,
			     unsigned level, struct row *row)
{
	unsigned groups = tree_groups(self->shape);
	unsigned group = self->id / self->shape->k;

	for (unsigned l = 0; l < level; l++) {
		groups = (groups + 1) / 2;
		group /= 2;
	}
	if ((group ^ 1) >= groups)
		return false;
	*row = tree_block(shared, self->shape, level, group / 2);
	return true;
}

static inline size_t tree_words(const struct shape *shape)
{
	return words_below(shape, tree_levels(shape));
}

static inline unsigned tree_own_words(const struct shape *shape)
{
	return CELL_OWN_WORDS * tree_levels(shape) * shape->k;
}

static inline void tree_init(void *shared, const struct shape *shape)
{
	unsigned groups = tree_groups(shape), number = 0;

	for (unsigned l = 0; groups > 1; l++, groups = (groups + 1) / 2) {
		for (unsigned b = 0; b < groups / 2; b++) {
			struct row row = tree_block(shared, shape, l, b);

			row_init(&row, number);
			number += shape->k;
		}
	}
}

static inline unsigned tree_cells(const struct shape *shape)
{
	return shape->k * (tree_groups(shape) - 1);
}

static inline bool tree_quiet(void *shared, const struct shape *shape)
{
	unsigned groups = tree_groups(shape);

	for (unsigned l = 0; groups > 1; l++, groups = (groups + 1) / 2) {
		for (unsigned b = 0; b < groups / 2; b++) {
			struct row row = tree_block(shared, shape, l, b);

			if (!row_quiet(&row))
				return false;
		}
	}
	return true;
}

static inline int tree_enter(void *shared, struct process *self)
{
	struct row row;

	for (unsigned l = 0; l < tree_levels(self->shape); l++)
		if (tree_path(shared, self, l, &row))
			row_enter(&row, self);
	return 0;
}

/* The process leaves the blocks from the root down: a block relies on the
 * blocks below it to let at most 2k processes in. */
static inline void tree_leave(void *shared, struct process *self)
{
	struct row row;

	for (unsigned l = tree_levels(self->shape); l-- > 0;)
		if (tree_path(shared, self, l, &row))
			row_leave(&row, self);
}

static inline unsigned tree_leave_steps(const struct shape *shape)
{
	return CELL_LEAVE_STEPS * shape->k * tree_levels(shape);
}

static inline uint64_t tree_remote(const struct shape *shape,
				   unsigned contention)
{
	(void)contention;
	return CELL_REMOTE * (uint64_t)shape->k * tree_levels(shape);
}

#endif
