/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_CELLS_H
#define ATMOST_BENCH_CELLS_H

#include "bench/comparison/contender.h"

struct options;

enum { CELLS_MOST = 256 };

/* The cells of a run. */
struct cells {
	size_t count;
	struct cell cell[CELLS_MOST];
	unsigned most_blocks; /* for each cell */
	double budget;        /* seconds for all cells; 0: no limit */
};

/*
 * Chooses the cells that the options ask for.  Returns EXIT_FINE, or EXIT_USAGE
 * with a message on stderr.
 */
int cells_choose(struct cells *c, const struct options *o);

#endif
