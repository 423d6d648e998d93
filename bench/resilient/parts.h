/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the bench, lettered as in docs/bench.md. */
#ifndef ATMOST_BENCH_RESILIENT_PARTS_H
#define ATMOST_BENCH_RESILIENT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

struct run {
	bool quick;
	unsigned blocks;
	double patience; /* seconds without an operation: it is stopped */
	uint64_t random; /* a state of statistics_random */
};

/*
 * Each returns false if the system failed us, or an object is not what its
 * operations make of it.
 */
bool part_alone(struct run *r);   /* a */
bool part_two(struct run *r);     /* b */
bool part_crowd(struct run *r);   /* c */
bool part_counts(struct run *r);  /* d */
bool part_killed(struct run *r);  /* e */
bool part_stopped(struct run *r); /* f */

/*
 * For callgrind: so many operations of the keeper whose pass has this name, at
 * an object of this k and n.  False: there is none.
 */
bool counts_pass(const char *function, unsigned k, unsigned n,
		 unsigned long count);

#endif
