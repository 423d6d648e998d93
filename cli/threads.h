/* SPDX-License-Identifier: BSD-2-Clause */
/* Real threads that enter and leave an object as often as they can. */
#ifndef ATMOST_CLI_THREADS_H
#define ATMOST_CLI_THREADS_H

#include <atmost/atmost.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_THREADS = 1024 };

struct threads_result {
	unsigned most_inside; /* at once, by an independent counter */
	uint64_t passages;    /* of all */
	uint64_t least, most; /* of one thread */
	double seconds, cpu;
};

/*
 * n threads for so long; with `sessions` they ask for two, in turn.  False: it
 * went wrong, `why` says how, and threads may still be using the object.
 */
bool threads_run(struct atmost *object, unsigned n, double seconds,
		 bool sessions, struct threads_result *result, char *why,
		 size_t size);

#endif
