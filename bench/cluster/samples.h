/* SPDX-License-Identifier: BSD-2-Clause */
/* Many measured times, of which a percentile is wanted. */
#ifndef ATMOST_BENCH_CLUSTER_SAMPLES_H
#define ATMOST_BENCH_CLUSTER_SAMPLES_H

#include <stddef.h>

struct samples {
	double *value;
	size_t count, room;
};

/* Exits if memory runs out. */
void samples_add(struct samples *, double);
/* 0 without samples; part is from 0 to 1.  Sorts the samples. */
double samples_percentile(struct samples *, double part);
void samples_free(struct samples *);

#endif
