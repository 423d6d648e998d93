/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_STATISTICS_H
#define ATMOST_BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	double median, low, high;
};

/*
 * The median of the values, and an interval in which that of the distribution
 * lies in at least 95% of cases, whatever the distribution: from the d-th
 * smallest value to the d-th largest, with the largest d for which it is so.
 * Sorts the values.  Fewer than six do not suffice for 95%: then it is all.
 */
struct interval statistics_interval(double *values, size_t count);

/*
 * Numbers counted in buckets no wider than 1/128 of what is in them; below
 * 256 each has its own.
 */
enum { HISTOGRAM_FINE = 128, HISTOGRAM_BUCKETS = 58 * HISTOGRAM_FINE };

struct histogram {
	uint64_t total, largest;
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *h, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The middle of the bucket that part of all (0 to 1) are not above. */
double histogram_quantile(const struct histogram *h, double part);

/*
 * arrivals[e] is the arrival number of who entered as number e; both count
 * from 0 to count - 1.  For each, adds to h how many entered before it that
 * had arrived after it.  tree is scratch space for count + 1.
 */
void statistics_overtakes(struct histogram *h, const uint32_t *arrivals,
			  size_t count, uint32_t *tree);

/* splitmix64 */
uint64_t statistics_random(uint64_t *state);

/* A random order of 0 to count - 1. */
void statistics_shuffle(unsigned *order, size_t count, uint64_t *state);

#endif
