/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cell consists of one subject, a number of threads, and all implementations.
 * The shared object has an instance for each k with n fixed, and an instance
 * for each n with k fixed.
 */
#ifndef ATMOST_BENCH_RESILIENT_CELL_H
#define ATMOST_BENCH_RESILIENT_CELL_H

#include "bench/common/statistics.h"
#include "bench/resilient/slices.h"

enum { BASE, AGAIN, ROWS_MOST = 20 };

enum { BLOCKS_MOST = 64 };

/* FIXED_K is k in the series over n; FIXED_N is n in the series over k. */
enum { FIXED_K = 4, FIXED_N = MEMBERS_MOST };

struct row {
	const char *name;
	char series;     /* 'k' or 'n': an object; 0: a rival, or a control */
	size_t instance; /* two rows may share an instance */
	/*
	 * The instance to which growth is relative: for an object, the first
	 * instance of its series; for "object again", the object; for a rival,
	 * the rival's own instance.
	 */
	size_t first;

	struct interval cpu, rate; /* ns of an operation; operations a second */
	struct interval ratio;     /* cpu over the base's cpu */
	struct interval rate_ratio; /* rate over the base's rate */
	struct interval growth;     /* cpu over `first`'s cpu */
};

/* Rivals have no growth. */
static inline bool row_grows(const struct row *row)
{
	return row->series || row->first != row->instance;
}

struct cell {
	enum subject subject;
	unsigned threads, blocks;
	double slice;
	struct slices slices;
	size_t row_count;
	struct row rows[ROWS_MOST];
	struct slice samples[INSTANCES_MOST][BLOCKS_MOST];
	size_t object_again; /* the number of the row "object again" */
	/*
	 * is_void: the two rows of the base differ too much.
	 * growth_is_void: the two rows of the object differ too much.
	 */
	bool is_void, growth_is_void;
};

/* Fills in the instances and rows, but opens no instance. */
void cell_fill(struct cell *c);

/*
 * Measures the cell.  The caller has set the fields from `subject` to `slice`.
 * At the end the function checks that every instance is in the state that its
 * operations lead to.  Returns false, with an error message on stderr, on
 * failure.
 */
bool cell_measure(struct cell *c, uint64_t *random);

#endif
