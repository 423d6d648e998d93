/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the slow path: a k-exclusion for the processes that get no slot of
 * any gate.  slow_most, in the header of the gate, returns how many processes
 * can be on the slow path at a time behind a number of gates.  The slow path is
 *
 *	nothing     if there can be at most k processes
 *	a Block(k)  if there can be at most 2k processes
 *	a tree      otherwise; it has a leaf for every id
 *
 * The .c file of an algorithm must include the header of its cell (am_cell.h or
 * am_dsm_cell.h) and of its gate (am_gate.h or am_printed_gate.h) before this
 * header.
 */
#ifndef ATMOST_AM_SLOW_PATH_H
#define ATMOST_AM_SLOW_PATH_H

#include "am_tree.h"

static inline bool slow_is_tree(const struct shape *shape, unsigned gates)
{
	return slow_most(shape, gates) > 2 * shape->k;
}

/* Returns the Block(k), or a row without cells if there is no block. */
static inline struct row slow_block(struct word *words,
				    const struct shape *shape, unsigned gates)
{
	struct row row = row_block(words, shape, 0);

	if (slow_most(shape, gates) <= shape->k)
		row.cell.capacity = row.least - 1;
	return row;
}

static inline size_t slow_words(const struct shape *shape, unsigned gates)
{
	struct row row = slow_block(NULL, shape, gates);

	return slow_is_tree(shape, gates) ? tree_words(shape) : row_words(&row);
}

static inline unsigned slow_cells(const struct shape *shape, unsigned gates)
{
	struct row row = slow_block(NULL, shape, gates);

	return slow_is_tree(shape, gates) ? tree_cells(shape) : row_cells(&row);
}

/* The most cells that a process passes. */
static inline unsigned slow_path_cells(const struct shape *shape,
				       unsigned gates)
{
	return slow_is_tree(shape, gates) ? shape->k * tree_levels(shape)
					  : slow_cells(shape, gates);
}

static inline unsigned slow_own_words(const struct shape *shape,
				      unsigned gates)
{
	return CELL_OWN_WORDS * slow_path_cells(shape, gates);
}

static inline void slow_init(struct word *words, const struct shape *shape,
			     unsigned gates)
{
	struct row row = slow_block(words, shape, gates);

	if (slow_is_tree(shape, gates))
		tree_init(words, shape);
	else
		row_init(&row, 0);
}

static inline bool slow_quiet(struct word *words, const struct shape *shape,
			      unsigned gates)
{
	struct row row = slow_block(words, shape, gates);

	return slow_is_tree(shape, gates) ? tree_quiet(words, shape)
					  : row_quiet(&row);
}

static inline void slow_enter(struct word *words, struct process *self,
			      unsigned gates)
{
	struct row row = slow_block(words, self->shape, gates);

	if (slow_is_tree(self->shape, gates))
		tree_enter(words, self);
	else
		row_enter(&row, self);
}

static inline void slow_leave(struct word *words, struct process *self,
			      unsigned gates)
{
	struct row row = slow_block(words, self->shape, gates);

	if (slow_is_tree(self->shape, gates))
		tree_leave(words, self);
	else
		row_leave(&row, self);
}

#endif
