/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a cell is and for whom.  What a cell is made of and does is said by
 * am_cell.h or am_dsm_cell.h, under the same names.
 */
#ifndef ATMOST_AM_PLACE_H
#define ATMOST_AM_PLACE_H

#include "algorithm.h"

struct cell {
	struct word *words;
	unsigned capacity; /* of one more than that many, so many pass */
	unsigned first;    /* those who may come here are called */
	unsigned count;    /* first .. first + count - 1 */
	unsigned own;      /* its own word, if it has one */
};

/* A word that others write too has a cache line of its own. */
struct line {
	OWN_LINE struct word word;
};

#endif
