/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What others use to let at most k in, or members of one session only: each
 * behind the same few functions.
 */
#ifndef ATMOST_BENCH_RIVAL_H
#define ATMOST_BENCH_RIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKERS_MOST = 1024 };

struct rival {
	const char *name;
	unsigned most_sessions; /* 0: any */

	/* Bytes of memory that n participants share. */
	size_t (*size)(unsigned n);

	/*
	 * Make it in zeroed shared memory.  `processes`: the participants are
	 * processes; otherwise threads, for which cheaper futexes may do.
	 * False: errno says why not.
	 */
	bool (*open)(void *shared, unsigned n, unsigned k, bool processes);
	void (*close)(void *shared);

	/* session: which one id asks for, from 1; 1 where there are none. */
	void (*enter)(void *shared, unsigned id, uint64_t session);
	void (*leave)(void *shared, unsigned id, uint64_t session);

	/*
	 * Give back whatever would outlive the program, or NULL.  Called at
	 * exit and from signal handlers, open or not.
	 */
	void (*abandon)(void);
};

/* At most k; ratios are formed to the first. */
extern const struct rival rival_semaphore;
extern const struct rival rival_semop;
extern const struct rival rival_condition;
extern const struct rival rival_robust; /* k = 1 */
extern const struct rival rival_ticket; /* k = 1, each on a cpu of its own */

/* One session; ratios are formed to the first. */
extern const struct rival rival_mutex;
extern const struct rival rival_room_fcfs;
extern const struct rival rival_room_batch;
extern const struct rival rival_room_fair;
extern const struct rival rival_rwlock;

#endif
