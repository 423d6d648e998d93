/* SPDX-License-Identifier: BSD-2-Clause */
/* This is the structure of Theorem 1: one row of cells for all n processes.
 * The .c file of an algorithm must include the header of its cell (am_cell.h or
 * am_dsm_cell.h) before this header. */
#ifndef ATMOST_AM_INDUCTION_H
#define ATMOST_AM_INDUCTION_H

#include "am_row.h"

static inline struct row induction_row(void *shared, const struct shape *shape)
{
	return (struct row){
		.cell = { shared, shape->n - 1, 0, shape->n, 0 },
		.least = shape->k,
	};
}

static inline unsigned induction_cells(const struct shape *shape)
{
	return shape->n > shape->k ? shape->n - shape->k : 0;
}

static inline size_t induction_words(const struct shape *shape)
{
	struct row row = induction_row(NULL, shape);

	return row_words(&row);
}

static inline unsigned induction_own_words(const struct shape *shape)
{
	return CELL_OWN_WORDS * induction_cells(shape);
}

static inline void induction_init(void *shared, const struct shape *shape)
{
	struct row row = induction_row(shared, shape);

	row_init(&row, 0);
}

static inline bool induction_quiet(void *shared, const struct shape *shape)
{
	struct row row = induction_row(shared, shape);

	return row_quiet(&row);
}

/* Line 1 of the figures is a recursive call of Acquire, with one more place.
 * Here the loop over the row replaces the recursion. */
static inline int induction_enter(void *shared, struct process *self)
{
	struct row row = induction_row(shared, self->shape);

	row_enter(&row, self);
	return 0;
}

static inline void induction_leave(void *shared, struct process *self)
{
	struct row row = induction_row(shared, self->shape);

	row_leave(&row, self);
}

static inline unsigned induction_leave_steps(const struct shape *shape)
{
	return CELL_LEAVE_STEPS * induction_cells(shape);
}

static inline uint64_t induction_remote(const struct shape *shape,
					unsigned contention)
{
	(void)contention;
	return CELL_REMOTE * (uint64_t)induction_cells(shape);
}

#endif
