/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Black-box tests of deaths: a test program states facts, one per line, about
 * pools that worker processes use through <atmost/atmost.h> alone.
 */
#ifndef ATMOST_TESTS_CRASH_FACTS_H
#define ATMOST_TESTS_CRASH_FACTS_H

#include <atmost/atmost.h>
#include <stdbool.h>

/* A slot of a dead member must come back within so many seconds. */
enum { SOON = 5 };

/*
 * Make a folder for the pools and name it in ATMOST_DIR.  After `seconds` an
 * alarm prints a FAILED line and ends the program and its workers.
 */
void facts_begin(unsigned seconds);

/* Remove the folder, print the totals, and return the exit status. */
int facts_end(void);

/* Print "ok: SENTENCE" or "FAILED: SENTENCE", and return `holds`. */
__attribute__((format(printf, 2, 3))) bool fact(bool holds, const char *format,
						...);

__attribute__((format(printf, 1, 2))) void skipped(const char *format, ...);

/* The path of a file in the folder; valid until the next call. */
const char *facts_file(const char *name);

double now_in_seconds(void);

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
/* True: the worker said `number` within so many seconds. */
bool worker_says(const struct worker *worker, int seconds, int *number);
/* Ask and wait for the answer; a worker that is silent for 20 s answers -999. */
int worker_do(const struct worker *worker, int request);
void worker_kill(struct worker *worker);

/* In a worker. */
void say(int number);
int hear(void);

/* The pool of this name with k slots; a failure ends the program. */
struct atmost *pool_open(const char *name, unsigned k);
struct atmost_totals pool_totals(struct atmost *pool);
/* True: the pool has so many holders, or waiters, within 20 seconds. */
bool pool_has_holders(struct atmost *pool, unsigned holders);
bool pool_has_waiters(struct atmost *pool, unsigned waiters);

/* A worker that joins the pool, says 0, enters it, says its slot and stays. */
struct worker waiter_start(const char *name);
/* The same, and the waiter waits behind at least one holder already. */
struct worker waiter_behind(struct atmost *pool, const char *name);
/* True: the waiter is inside within SOON seconds. */
bool waiter_gets_in(const struct worker *waiter);
/* True: the waiter is still outside after 0.3 seconds. */
bool waiter_stays_out(const struct worker *waiter);

/* A new member of the calling thread enters at once: the slot or an error. */
int try_to_enter(struct atmost *pool);

#endif
