/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A rival is a lock that programs use today to let in at most k workers, or
 * only workers of one session.  All rivals have the same functions.
 */
#ifndef ATMOST_BENCH_RIVAL_H
#define ATMOST_BENCH_RIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKERS_MOST = 1024 };

struct rival {
	const char *name;
	unsigned most_sessions; /* 0: no limit */

	/* Returns how many bytes of memory n workers share. */
	size_t (*size)(unsigned n);

	/*
	 * Makes the lock in zeroed shared memory.  If `processes` is false, the
	 * workers are threads, which can use cheaper futexes.  Returns false on
	 * failure; errno then says why.
	 */
	bool (*open)(void *shared, unsigned n, unsigned k, bool processes);
	void (*close)(void *shared);

	/*
	 * session is the session that worker id asks for, from 1.  It is 1 if
	 * there are no sessions.
	 */
	void (*enter)(void *shared, unsigned id, uint64_t session);
	void (*leave)(void *shared, unsigned id, uint64_t session);

	/*
	 * Removes everything that would outlive the program.  NULL if there is
	 * nothing to remove.  Called at exit and from signal handlers,
	 * whether the lock is open or not.
	 */
	void (*abandon)(void);
};

/* Rivals that let in at most k workers; ratios are relative to the first. */
extern const struct rival rival_semaphore;
extern const struct rival rival_semop;
extern const struct rival rival_condition;
extern const struct rival rival_robust; /* k = 1 */
extern const struct rival rival_ticket; /* k = 1, each worker on its own cpu */

/* Rivals that let in only one session at a time; ratios are relative to the
 * first. */
extern const struct rival rival_mutex;
extern const struct rival rival_room_fcfs;
extern const struct rival rival_room_batch;
extern const struct rival rival_room_fair;
extern const struct rival rival_rwlock;

#endif
