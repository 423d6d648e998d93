/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cell: one subject, so many threads, all keepers side by side.  The object
 * is there once for each k with the same n, and once for each n with the same k.
 */
#ifndef ATMOST_BENCH_RESILIENT_CELL_H
#define ATMOST_BENCH_RESILIENT_CELL_H

#include "bench/common/statistics.h"
#include "bench/resilient/crew.h"

enum { BASE, AGAIN, ROWS_MOST = 20 };

/* Fewer blocks make no interval worth having. */
enum { BLOCKS_LEAST = 11, BLOCKS_MOST = 64 };

/* Of the series: while the other stays. */
enum { FIXED_K = 4, FIXED_N = MEMBERS_MOST };

struct row {
	const char *name;
	char series;  /* 'k' or 'n' of the object; 0: a rival */
	size_t stand; /* where it is measured; two rows may have the same */
	size_t first; /* the stand its growth is told by: the series' first, or
			 of "object again" the object; a rival's is its own */

	struct interval cpu, rate;  /* ns of an operation; a second */
	struct interval ratio;      /* of cpu to the base's */
	struct interval rate_ratio; /* likewise */
	struct interval growth;     /* of cpu to the first's */
};

/* Rivals do not grow. */
static inline bool row_grows(const struct row *row)
{
	return row->series || row->first != row->stand;
}

struct cell {
	enum subject subject;
	unsigned threads, blocks;
	double slice;
	struct crew crew;
	size_t row_count;
	struct row rows[ROWS_MOST];
	struct slice samples[STANDS_MOST][BLOCKS_MOST];
	size_t object_again;          /* its row */
	bool is_void, growth_is_void; /* base, or object, differs from itself */
};

/* Which stands and rows there are; opens nothing. */
void cell_line_up(struct cell *c);

/*
 * subject to slice are given.  False: it says why on stderr.  At the end each
 * stand must be what its operations make of it.
 */
bool cell_measure(struct cell *c, uint64_t *random);

#endif
