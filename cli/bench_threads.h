/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs worker threads that enter and leave a pool as often as they can. */
#ifndef ATMOST_CLI_BENCH_THREADS_H
#define ATMOST_CLI_BENCH_THREADS_H

#include <atmost/atmost.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_THREADS = 1024 };

struct bench_threads_result {
	unsigned most_inside; /* the most workers inside at a time, as the
				 workers counted them */
	uint64_t passages;    /* passages of all workers */
	uint64_t least, most; /* the fewest and the most passages of a worker */
	double seconds, cpu;
};

/*
 * Runs n workers for `seconds`.  If `sessions` is set, every other worker uses
 * session 1, and the workers between them use session 2.  Returns false on
 * failure; `why` then has the reason, and workers may still be using the pool.
 */
bool bench_threads_run(struct atmost *pool, unsigned n, double seconds,
		       bool sessions, struct bench_threads_result *result,
		       char *why, size_t size);

#endif
