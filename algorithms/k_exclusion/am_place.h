/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a cell is, and for which processes.  am_cell.h and am_dsm_cell.h define
 * what a cell consists of and does, under the same names. */
#ifndef ATMOST_AM_PLACE_H
#define ATMOST_AM_PLACE_H

#include "algorithm.h"

struct cell {
	struct word *words;
	unsigned capacity; /* this many of one more processes pass */
	unsigned first;    /* the ids of its processes are */
	unsigned count;    /* first .. first + count - 1 */
	unsigned own;      /* index of its own word, if it has one */
};

/* A word that other processes write too has its own cache line. */
struct line {
	OWN_LINE struct word word;
};

#endif
