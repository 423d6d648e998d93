/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One cell: blocks of slices, one slice a contender in each block, in random
 * order; and what they amount to.
 */
#ifndef ATMOST_BENCH_MEASURE_H
#define ATMOST_BENCH_MEASURE_H

#include "bench/common/harvest.h"

/* Fewer blocks than this make no interval worth having. */
enum { BLOCKS_LEAST = 11, BLOCKS_MOST = 1000 };

struct plan {
	unsigned blocks;  /* at most so many, at least BLOCKS_LEAST */
	int64_t until;    /* end at this time if there are enough blocks */
	double slice;     /* seconds */
	double speed;     /* section_speed's */
	int64_t patience; /* ns */
	uint64_t *random;
};

struct row {
	struct histogram waits, overtakes; /* of all slices */
	struct sample *samples;            /* one a block */

	/* Medians over the blocks, and of the ratios formed in each. */
	double rate, share, cpu, inside;
	struct interval ratio, cpu_ratio, p99_ratio;
};

struct outcome {
	struct cell cell;
	struct line_up line_up;
	double slice;
	unsigned blocks;  /* that were made */
	struct row *rows; /* in the line-up's order */
	bool is_void;     /* the base differs from itself */
};

/* What the program ends with. */
enum { EXIT_FINE, EXIT_VIOLATED, EXIT_USAGE, EXIT_INTERNAL = 4 };

/* The rate of a to that of b, formed in each block. */
struct interval measure_ratio(const struct outcome *o, size_t a, size_t b);

/* o->cell and o->line_up are given.  Complains about failures itself. */
int measure(struct outcome *o, const struct plan *plan);
void measure_free(struct outcome *o);

#endif
