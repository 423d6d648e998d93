/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Computes the results of a slice from the log and the records of its workers.
 */
#ifndef ATMOST_BENCH_SAMPLE_H
#define ATMOST_BENCH_SAMPLE_H

#include "bench/common/statistics.h"
#include "bench/comparison/cell_run.h"

struct waits {
	double p50, p90, p99, max; /* microseconds */
};

struct sample {
	unsigned place;    /* number of the slice in its block */
	double seconds;    /* from the start to the order to stop */
	uint64_t passages; /* passages that ended in this time */
	double rate;       /* passages a second */
	double share; /* most passages begun by any worker / fewest of any */
	struct waits wait;
	double inside;      /* workers inside on average; sessions only */
	uint64_t overtakes; /* the most overtakes of any passage */
	double cpu;         /* microseconds for each passage begun */
};

/* Memory for evaluating a slice; reused for every slice. */
struct evaluation {
	struct histogram waits, overtakes; /* of the last slice */
	uint32_t *arrivals, *tree;
	size_t room;
};

/* Returns false if memory cannot be allocated. */
bool evaluate_slice(struct evaluation *e, const struct cell_run *run,
		    struct sample *sample);
void evaluation_free(struct evaluation *e);

struct waits waits_of(const struct histogram *h);

#endif
