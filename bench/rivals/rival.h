/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What others use to let at most k in: each behind the same few functions.
 */
#ifndef ATMOST_BENCH_RIVAL_H
#define ATMOST_BENCH_RIVAL_H

#include <stdbool.h>
#include <stddef.h>

struct rival {
	const char *name;

	/* Bytes of memory that n participants share. */
	size_t (*size)(unsigned n);

	/*
	 * Make it in zeroed shared memory.  `processes`: the participants are
	 * processes; otherwise threads, for which cheaper futexes may do.
	 * False: errno says why not.
	 */
	bool (*open)(void *shared, unsigned n, unsigned k, bool processes);
	void (*close)(void *shared);

	void (*enter)(void *shared, unsigned id);
	void (*leave)(void *shared, unsigned id);

	/*
	 * Give back whatever would outlive the program, or NULL.  Called at
	 * exit and from signal handlers, open or not.
	 */
	void (*abandon)(void);
};

extern const struct rival rival_semaphore; /* what ratios are formed to */
extern const struct rival rival_semop;
extern const struct rival rival_condition;

#endif
