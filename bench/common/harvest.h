/* SPDX-License-Identifier: BSD-2-Clause */
/* What a slice has shown. */
#ifndef ATMOST_BENCH_HARVEST_H
#define ATMOST_BENCH_HARVEST_H

#include "bench/common/crew.h"
#include "bench/common/statistics.h"

struct waits {
	double p50, p90, p99, max; /* microseconds */
};

struct sample {
	unsigned place;    /* in the order of its block */
	double seconds;    /* from the beginning until all were told to stop */
	uint64_t passages; /* that ended in this time */
	double rate;       /* of them, a second */
	double share;      /* passages begun: the most of one over the least */
	struct waits wait;
	double inside;      /* how many were on average; groups only */
	uint64_t overtakes; /* the largest number, of one passage */
	double cpu;         /* microseconds for each passage begun */
};

/* Scratch space that is kept from slice to slice. */
struct harvest {
	struct histogram waits, overtakes;
	uint32_t *arrivals, *tree;
	size_t room;
};

/* False: no memory. */
bool harvest_slice(struct harvest *h, const struct crew *crew,
		   struct sample *sample);
void harvest_free(struct harvest *h);

struct waits harvest_waits(const struct histogram *h);

#endif
