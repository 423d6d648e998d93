/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row consists of cells with the capacities `most`, `most`-1, ..., `least`.
 * At most `most`+1 processes use the row at a time, and at most `least` of them
 * are past its last cell.
 *
 *	n-1 .. k   (n,k)-exclusion: the induction of Theorem 1
 *	2k-1 .. k  (2k,k)-exclusion, called Block(k); the other structures are
 *	           made of it
 *
 * A cell of capacity c relies on the cells before it: they must let at most c+1
 * processes through.  Therefore a process leaves the cells of a row in the
 * opposite order, the last cell first.
 */
#ifndef ATMOST_AM_ROW_H
#define ATMOST_AM_ROW_H

#include "am_place.h"

struct row {
	struct cell cell; /* the first cell, whose capacity is `most` */
	unsigned least;
};

/* Returns the number of cells of a Block(k).  If k >= n, no process ever waits,
 * and no cell is needed. */
static inline unsigned block_cells(const struct shape *shape)
{
	return shape->k < shape->n ? shape->k : 0;
}

/* Returns a Block(k) at `words`, for all n processes. */
static inline struct row row_block(struct word *words,
				   const struct shape *shape, unsigned own)
{
	return (struct row){
		.cell = { words, shape->k + block_cells(shape) - 1, 0,
			  shape->n, own },
		.least = shape->k,
	};
}

static inline unsigned row_cells(const struct row *row)
{
	return row->cell.capacity < row->least
		       ? 0
		       : row->cell.capacity - row->least + 1;
}

static inline void next_cell(struct cell *cell)
{
	cell->words += cell_words(cell);
	cell->own += CELL_OWN_WORDS;
	cell->capacity--;
}

/* Does not change `own`, because a leaver uses no own word of a cell. */
static inline void previous_cell(struct cell *cell)
{
	cell->capacity++;
	cell->words -= cell_words(cell);
}

/* Returns a cell whose `words` and `own` are those after the last cell. */
static inline struct cell row_end(const struct row *row)
{
	struct cell cell = row->cell;

	for (unsigned i = 0; i < row_cells(row); i++)
		next_cell(&cell);
	return cell;
}

static inline size_t row_words(const struct row *row)
{
	size_t words = 0;
	struct cell cell = row->cell;

	for (; cell.capacity >= row->least; cell.capacity--)
		words += cell_words(&cell);
	return words;
}

/* The cells are named number, number+1, ... */
static inline void row_init(const struct row *row, unsigned number)
{
	struct cell cell = row->cell;

	for (; cell.capacity >= row->least; next_cell(&cell))
		cell_init(&cell, number++);
}

static inline bool row_quiet(const struct row *row)
{
	struct cell cell = row->cell;

	for (; cell.capacity >= row->least; next_cell(&cell))
		if (!cell_quiet(&cell))
			return false;
	return true;
}

static inline void row_enter(const struct row *row, struct process *self)
{
	struct cell cell = row->cell;

	for (; cell.capacity >= row->least; next_cell(&cell))
		cell_enter(&cell, self);
}

static inline void row_leave(const struct row *row, struct process *self)
{
	struct cell cell = row_end(row);

	while (cell.capacity < row->cell.capacity) {
		previous_cell(&cell);
		cell_leave(&cell, self);
	}
}

#endif
