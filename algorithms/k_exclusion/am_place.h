/* SPDX-License-Identifier: BSD-2-Clause */
/* A struct cell says where a cell is in memory, and which processes use it.
 * am_cell.h and am_dsm_cell.h define two kinds of cells, with functions of the
 * same names. */
#ifndef ATMOST_AM_PLACE_H
#define ATMOST_AM_PLACE_H

#include "algorithm.h"

struct cell {
	struct word *words;
	unsigned capacity; /* how many processes the cell lets pass */
	unsigned first;    /* the lowest id of a process that uses the cell */
	unsigned count;    /* the ids are first .. first + count - 1 */
	unsigned own;      /* index of the cell's own word, if it has one */
};

/* A word that several processes write, with its own cache line. */
struct line {
	OWN_LINE struct word word;
};

#endif
