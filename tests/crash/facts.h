/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Helpers for black-box tests of deaths.  Worker processes use pools only
 * through <atmost/atmost.h>, and a test program states facts about the pools,
 * one per line.
 */
#ifndef ATMOST_TESTS_CRASH_FACTS_H
#define ATMOST_TESTS_CRASH_FACTS_H

#include "common/folder.h"
#include "common/watchdog.h"

#include <atmost/atmost.h>
#include <pthread.h>
#include <stdbool.h>

/*
 * Make a folder for the pools and set ATMOST_DIR to it.  If no fact is stated
 * for WATCHDOG_SECONDS, the watchdog prints a FAILED line and ends the program
 * and its workers.
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
 * integers.  The worker uses its stdin and stdout for this, so it can close
 * every other descriptor.
 */
struct worker {
	pid_t pid;
	int to, from;
};

typedef void role_function(const void *argument);

struct worker worker_start(role_function *role, const void *argument);
void worker_tell(const struct worker *worker, int number);
/* Waits until the worker says a number.  Returns false if the worker hangs or
 * has ended. */
bool worker_says(const struct worker *worker, int *number);
/* Sends the request and returns the answer, or -999 if the worker hangs or has
 * ended. */
int worker_do(const struct worker *worker, int request);
void worker_kill(struct worker *worker);

/* Called in a worker: send a number to the test, or receive one from it. */
void say(int number);
int hear(void);

/* Opens the pool of this name with k slots; a failure ends the program. */
struct atmost *pool_open(const char *name, unsigned k);
struct atmost_totals pool_totals(struct atmost *pool);
/* Wait until the pool has this number of holders, or of waiters.  Return false
 * if the wait took too long. */
bool pool_has_holders(struct atmost *pool, unsigned holders);
bool pool_has_waiters(struct atmost *pool, unsigned waiters);

/* Starts a worker that joins the pool, says 0, enters, says its slot and
 * stays. */
struct worker waiter_start(const char *name);
/* Like waiter_start, but returns only when the worker waits behind at least one
 * holder. */
struct worker waiter_behind(struct atmost *pool, const char *name);
/* Waits until the waiter is inside.  Returns false if the waiter hangs. */
bool waiter_gets_in(const struct worker *waiter);
/* Returns true if the waiter is still outside after 0.3 seconds.  On a slow
 * machine this check may miss a fault, but it never fails without a fault. */
bool waiter_stays_out(const struct worker *waiter);

/* Lets a new member of the calling thread try to enter; returns its slot or an
 * error. */
int try_to_enter(struct atmost *pool);

/*
 * Waits for the end of a thread of the test.  Returns false if the thread
 * hangs.
 */
bool thread_ends(pthread_t thread);

#endif
