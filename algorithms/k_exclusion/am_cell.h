/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the cell of Anderson and Moir's Figure 2, with capacity c.  At most
 * c+1 processes use the cell at a time; it lets c of them pass and holds one
 * back.
 *
 * X is c minus the number of processes between lines 3 and 6.  If X < 0, a
 * process is at line 3, or Q names a process at line 4 or 5.  A process that
 * overwrites Q releases the process that Q named, and the released process
 * passes.  If a leaver overwrote Q, it has made room at line 6.  If an arriving
 * process overwrote Q, it now waits instead, or passes as well if X is not
 * negative at line 4.
 *
 * The .c file of an algorithm includes either this header or am_dsm_cell.h,
 * which has the cell of Figure 6.  After that it includes the header of a
 * structure that is made of cells, such as am_tree.h.
 */
#ifndef ATMOST_AM_CELL_H
#define ATMOST_AM_CELL_H

#include "am_place.h"

struct figure_2 {
	OWN_LINE struct word X; /* number of free places, signed: -1..c */
	OWN_LINE struct word Q; /* the process that waits here, if X < 0 */
};

enum {
	CELL_OWN_WORDS = 0,
	CELL_LEAVE_STEPS = 2,
	CELL_REMOTE = 7, /* CC: lines 2, 3, 4, 5 (twice), 6 and 7 */
};

static inline size_t cell_words(const struct cell *cell)
{
	(void)cell;
	return WORDS(struct figure_2);
}

static inline void cell_init(const struct cell *cell, unsigned number)
{
	struct figure_2 *f = (struct figure_2 *)cell->words;

	mem_poke(&f->X, cell->capacity);
	mem_poke(&f->Q, 0); /* could be any id */
	mem_name(&f->X, "X", number);
	mem_name(&f->Q, "Q", number);
}

static inline bool cell_quiet(const struct cell *cell)
{
	struct figure_2 *f = (struct figure_2 *)cell->words;

	return mem_peek(&f->X) == cell->capacity;
}

static inline void cell_enter(const struct cell *cell, struct process *self)
{
	struct figure_2 *f = (struct figure_2 *)cell->words;
	int64_t x;
	uint64_t q;

L2:	x = (int64_t)mem_add(&f->X, (uint64_t)-1);
	if (x != 0)
		return;
L3:	mem_write(&f->Q, self->id);
	mem_wake(&f->Q); /* releases the process that waited here before us */
L4:	x = (int64_t)mem_read(&f->X);
	if (x >= 0)
		return;
L5:	await(q, &f->Q, q != self->id);
}

static inline void cell_leave(const struct cell *cell, struct process *self)
{
	struct figure_2 *f = (struct figure_2 *)cell->words;

L6:	mem_add(&f->X, 1);
L7:	mem_write(&f->Q, self->id);
	mem_wake(&f->Q);
}

#endif
