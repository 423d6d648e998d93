/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Black-box tests of deaths: a test program states facts, one per line, about
 * pools that worker processes use through <atmost/atmost.h> alone.
 */
#ifndef ATMOST_TESTS_CRASH_FACTS_H
#define ATMOST_TESTS_CRASH_FACTS_H

#include "common/folder.h"
#include "common/watchdog.h"

#include <atmost/atmost.h>
#include <pthread.h>
#include <stdbool.h>

/*
 * Make a folder for the pools and name it in ATMOST_DIR.  If no fact is stated
 * for WATCHDOG_SECONDS, the watchdog prints a FAILED line and ends the program;
 * its workers end with it.
 */
void facts_begin(void);

/* Remove the folder, print the totals, and return the exit status. */
int facts_end(void);

/* Print "ok: SENTENCE" or "FAILED: SENTENCE", and return `holds`. */
__attribute__((format(printf, 2, 3))) bool fact(bool holds, const char *format,
						...);

__attribute__((format(printf, 1, 2))) void skipped(const char *format, ...);

/*
 * A worker is a process that runs `role`.  The test and the worker exchange
 * integers; the worker's end of the exchange is its stdin and stdout, so that a
 * worker may close every other descriptor.
 */
struct worker {
	pid_t pid;
	int to, from;
};

typedef void role_function(const void *argument);

struct worker worker_start(role_function *role, const void *argument);
void worker_tell(const struct worker *worker, int number);
/* Waits for a number of the worker; false: the worker hangs or has ended. */
bool worker_says(const struct worker *worker, int *number);
/* Ask and wait for the answer; -999: the worker hangs or has ended. */
int worker_do(const struct worker *worker, int request);
void worker_kill(struct worker *worker);

/* In a worker. */
void say(int number);
int hear(void);

/* The pool of this name with k slots; a failure ends the program. */
struct atmost *pool_open(const char *name, unsigned k);
struct atmost_totals pool_totals(struct atmost *pool);
/* Wait until the pool has so many holders, or waiters; false: that does not
 * happen. */
bool pool_has_holders(struct atmost *pool, unsigned holders);
bool pool_has_waiters(struct atmost *pool, unsigned waiters);

/* A worker that joins the pool, says 0, enters it, says its slot and stays. */
struct worker waiter_start(const char *name);
/* The same, and the waiter waits behind at least one holder already. */
struct worker waiter_behind(struct atmost *pool, const char *name);
/* Waits until the waiter is inside; false: the waiter hangs. */
bool waiter_gets_in(const struct worker *waiter);
/* True: the waiter is still outside after 0.3 seconds.  A slow machine makes
 * this check weaker, and never wrong. */
bool waiter_stays_out(const struct worker *waiter);

/* A new member of the calling thread enters at once: the slot or an error. */
int try_to_enter(struct atmost *pool);

/* Waits for the end of a thread of the test; false: the thread hangs. */
bool thread_ends(pthread_t thread);

#endif
