/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worker processes use one pool by its name; their parent starts and kills
 * them.
 */
#ifndef ATMOST_TESTS_CRASH_WORKERS_H
#define ATMOST_TESTS_CRASH_WORKERS_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"
#include "common/clock.h"
#include "common/prng.h"
#include "oracle.h"

struct workers {
	struct oracle *oracle;
	struct atmost *pool;
	struct atmost_shape shape;
	const struct algorithm *algorithm;
	pid_t pid[WORKERS_MOST]; /* 0: no process */
	uint32_t serial;         /* the last serial number given */
	uint64_t seed, random;
	unsigned long kills;
	const char *where; /* what the test is doing, for messages */
	/*
	 * The last progress that workers_watch saw, and the time when it saw
	 * that progress.
	 */
	unsigned long moved;
	double moved_at;
};

/* Makes a folder for the pools and prints the seed; workers_close removes the
 * folder. */
void workers_open(struct workers *workers);
void workers_close(struct workers *workers);

/* Opens a new pool of this shape, in which the test can start one worker for
 * each member.  workers_close_pool removes the pool. */
void workers_open_pool(struct workers *workers,
		       const struct atmost_shape *shape);
void workers_close_pool(struct workers *workers);

/*
 * Returns the i-th lock algorithm that recovers dead members, or NULL if there
 * are fewer.
 */
const struct algorithm *workers_algorithm(size_t i);

/*
 * Returns how many members can be inside: k, or all members if there is no
 * limit.
 */
unsigned workers_limit(const struct workers *workers);

/*
 * Returns the i-th session of a group pool, counted from 0; for other pools, 0.
 */
uint64_t workers_session(const struct workers *workers, unsigned i);

/* Starts the worker of this number, which calls `work` and then exits with
 * 0. */
typedef void work_function(struct oracle_worker *worker, struct atmost *pool,
			   uint64_t random, const void *argument);
void workers_start(struct workers *workers, unsigned number,
		   work_function *work, const void *argument);

/* Kills the worker and waits for its end. */
void workers_kill(struct workers *workers, unsigned number);

enum ending { RUNS, ENDED, KILLED };
/* Returns whether and how the worker has ended; an unplanned end fails the
 * test.  workers_wait waits for the end. */
enum ending workers_look(struct workers *workers, unsigned number);
enum ending workers_wait(struct workers *workers, unsigned number);

/* Returns whether the worker sleeps in the kernel. */
bool workers_sleeps(struct workers *workers, unsigned number);

/* Fails the test if there is a violation, or if no worker has made progress for
 * WATCHDOG_SECONDS.  The parent calls this function often. */
void workers_watch(struct workers *workers);

/* Prints the reason, what each worker does, and the seed; kills all workers and
 * exits. */
__attribute__((noreturn, format(printf, 2, 3))) void workers_fail(
	struct workers *workers, const char *format, ...);

/* Workers use their members through the next three functions, which also inform
 * the oracle. */
int workers_enter(struct oracle_worker *worker, struct atmost_member *me,
		  enum manner manner, int64_t patience);
void workers_leave(struct oracle_worker *worker, struct atmost_member *me,
		   int slot);
void workers_join(struct oracle_worker *worker, struct atmost *pool,
		  struct atmost_member **me);

/*
 * Checks, when all workers have ended, that the pool is equal to a new pool:
 * all records are vacant, the algorithm is quiet, all members can join, and k
 * members can enter.
 */
void idle_pool_check(struct workers *workers);

/*
 * Like idle_pool_check, but after workers were killed during a resize: expects
 * the k that atmost_status reports, and at the end resizes the pool to its
 * original k.
 */
void idle_pool_check_resized(struct workers *workers);

/* cost_check checks that a passage makes no system call; cost_measure returns
 * how many nanoseconds a passage takes. */
void cost_check(struct workers *workers);
double cost_measure(struct workers *workers);

#endif
