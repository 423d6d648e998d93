/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Returns the largest d with P(B < d) <= 0.025, but at least 1.  B is the
 * number of values below the true median: it is binomial with probability 1/2.
 */
static size_t rank_of_bound(size_t count)
{
	double probability = pow(0.5, (double)count); /* P(B = d) */
	double below = probability;                   /* P(B <= d) */
	size_t d = 0;

	while (below <= 0.025) {
		probability *= (double)(count - d) / (double)(d + 1);
		below += probability;
		d++;
	}
	return d ? d : 1;
}

struct interval statistics_interval(double *values, size_t count)
{
	size_t d = rank_of_bound(count);

	qsort(values, count, sizeof *values, compare);
	return (struct interval){
		.median = (values[(count - 1) / 2] + values[count / 2]) / 2,
		.low = values[d - 1],
		.high = values[count - d],
	};
}

/*
 * A value of at least 2 * FINE is shifted right until its leading bit is at the
 * same place as FINE's.  Each number of shifts has FINE buckets.
 */
static size_t bucket_of(uint64_t value)
{
	unsigned shift = 0;

	while (value >> shift >= 2 * HISTOGRAM_FINE)
		shift++;
	return shift * HISTOGRAM_FINE + (size_t)(value >> shift);
}

static double middle_of(size_t bucket)
{
	size_t shift = 0;

	if (bucket < 2 * HISTOGRAM_FINE)
		return (double)bucket;
	shift = bucket / HISTOGRAM_FINE - 1;
	return ((double)(bucket - shift * HISTOGRAM_FINE) + 0.5) *
	       pow(2, (double)shift);
}

void histogram_add(struct histogram *h, uint64_t value)
{
	h->total++;
	h->bucket[bucket_of(value)]++;
	if (value > h->largest)
		h->largest = value;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	into->total += from->total;
	if (from->largest > into->largest)
		into->largest = from->largest;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

double histogram_quantile(const struct histogram *h, double part)
{
	double wanted = part * (double)h->total, largest = (double)h->largest;
	uint64_t seen = 0;
	size_t i = 0;

	for (; i < HISTOGRAM_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen > 0 && (double)seen >= wanted)
			break;
	}
	return fmin(middle_of(i), largest);
}

/*
 * A Fenwick tree counts the passages that have entered, by arrival number.
 * Before passage e entered, e passages had entered.  Those of them that arrived
 * later than passage e overtook it.
 */
void statistics_overtakes(struct histogram *h, const uint32_t *arrivals,
			  size_t count, uint32_t *tree)
{
	memset(tree, 0, (count + 1) * sizeof *tree);
	for (size_t e = 0; e < count; e++) {
		size_t earlier = 0;

		for (size_t i = arrivals[e]; i > 0; i &= i - 1)
			earlier += tree[i];
		for (size_t i = arrivals[e] + 1; i <= count; i += i & -i)
			tree[i]++;
		histogram_add(h, e - earlier);
	}
}

uint64_t statistics_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void statistics_shuffle(unsigned *order, size_t count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++) {
		size_t j = (size_t)(statistics_random(state) % (i + 1));

		order[i] = order[j];
		order[j] = (unsigned)i;
	}
}
