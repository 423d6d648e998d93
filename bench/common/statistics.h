/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_STATISTICS_H
#define ATMOST_BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	double median, low, high;
};

/*
 * Returns the median of the values and an interval.  The interval contains the
 * median of their distribution in at least 95% of cases, for any distribution.
 * The interval reaches from the d-th smallest to the d-th largest value, with
 * the largest d that achieves these 95%.  With fewer than six values no d
 * achieves them; the interval then contains all values.  The function sorts the
 * values.
 */
struct interval statistics_interval(double *values, size_t count);

/*
 * Counts values in buckets.  The width of a bucket is at most 1/128 of the
 * values in it; each value below 256 has a bucket of its own.
 */
enum { HISTOGRAM_FINE = 128, HISTOGRAM_BUCKETS = 58 * HISTOGRAM_FINE };

struct histogram {
	uint64_t total, largest;
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

void histogram_add(struct histogram *h, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);

/*
 * Returns the middle of the bucket that holds the quantile; part is from 0 to
 * 1.
 */
double histogram_quantile(const struct histogram *h, double part);

/*
 * arrivals[e] is the arrival number of the passage that entered as number e;
 * both numbers count from 0 to count - 1.  For each passage, adds to h how many
 * passages arrived later but entered earlier.  tree is scratch space for count
 * + 1 numbers.
 */
void statistics_overtakes(struct histogram *h, const uint32_t *arrivals,
			  size_t count, uint32_t *tree);

/* Returns the next random number (splitmix64). */
uint64_t statistics_random(uint64_t *state);

/* Writes the numbers 0 to count - 1 to order, in random order. */
void statistics_shuffle(unsigned *order, size_t count, uint64_t *state);

#endif
