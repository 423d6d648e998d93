/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cell is measured in blocks.  A block is one slice of each contender, in
 * random order.
 */
#ifndef ATMOST_BENCH_MEASURE_H
#define ATMOST_BENCH_MEASURE_H

#include "bench/comparison/sample.h"

enum { BLOCKS_MOST = 1000 };

struct plan {
	unsigned blocks;  /* the limit; at least BLOCKS_LEAST are made */
	int64_t until;    /* no new block after this time */
	double slice;     /* seconds */
	double speed;     /* from section_speed */
	int64_t patience; /* ns */
	uint64_t *random;
};

struct row {
	struct histogram waits, overtakes; /* of all slices */
	struct sample *samples;            /* one for each block */

	/* Medians over the blocks.  A ratio divides the value by the base's
	 * value in the same block. */
	double rate, share, cpu, inside;
	struct interval ratio, cpu_ratio, p99_ratio;
};

struct outcome {
	struct cell cell;
	struct contenders contenders;
	double slice;
	unsigned blocks;  /* blocks that were made */
	struct row *rows; /* one for each contender */
	bool is_void;     /* the two rows of the base differ too much */
};

/*
 * Divides the rate of row a by the rate of row b in each block, and returns the
 * median and the interval of these ratios.
 */
struct interval measure_ratio(const struct outcome *o, size_t a, size_t b);

/*
 * Measures one cell.  The caller has set o->cell and o->contenders.  Returns an
 * exit code; unless it is EXIT_FINE, a message is on stderr.
 */
int measure(struct outcome *o, const struct plan *plan);
void measure_free(struct outcome *o);

#endif
