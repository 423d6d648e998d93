/* SPDX-License-Identifier: BSD-2-Clause */
/* Worker threads that enter and leave a pool as often as they can. */
#ifndef ATMOST_CLI_BENCH_THREADS_H
#define ATMOST_CLI_BENCH_THREADS_H

#include <atmost/atmost.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_THREADS = 1024 };

struct bench_threads_result {
	unsigned most_inside; /* at once, by the workers' own counter */
	uint64_t passages;    /* of all workers */
	uint64_t least, most; /* passages of one worker */
	double seconds, cpu;
};

/*
 * Runs n workers for `seconds`.  `sessions`: they use two sessions,
 * alternately.
 * False: `why` has the reason, and workers may still be using the pool.
 */
bool bench_threads_run(struct atmost *pool, unsigned n, double seconds,
		       bool sessions, struct bench_threads_result *result,
		       char *why, size_t size);

#endif
