/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs threads that apply operations without a pause.  The threads are started
 * once for a cell and run one slice after the other.  Each slice uses one of
 * the cell's instances.
 */
#ifndef ATMOST_BENCH_RESILIENT_SLICES_H
#define ATMOST_BENCH_RESILIENT_SLICES_H

#include "bench/common/workers.h"
#include "bench/resilient/implementation.h"

enum { INSTANCES_MOST = 20, THREADS_MOST = 16 };

struct slices {
	unsigned threads;
	size_t instance_count;
	struct instance instances[INSTANCES_MOST];
	uint64_t operations[INSTANCES_MOST]; /* so far, for each instance */

	struct workers workers;
	struct {
		_Alignas(64) uint64_t count; /* operations of the slice */
		int64_t cpu;                 /* their CPU time, ns */
		size_t joined;
		struct handle handles[INSTANCES_MOST];
	} records[THREADS_MOST];
};

struct slice {
	double cpu;  /* CPU time of an operation, mean over all threads, ns */
	double rate; /* operations a second */
};

/*
 * Starts the threads.  The caller has set `threads` and has opened the
 * instances.  Returns false, with an error message on stderr, on failure.
 */
bool slices_start(struct slices *s);
bool slices_run(struct slices *s, size_t instance, double seconds,
		struct slice *result);
void slices_end(struct slices *s);

#endif
