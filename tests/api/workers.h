/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts worker processes that carry out one request at a time. */
#ifndef ATMOST_TESTS_API_WORKERS_H
#define ATMOST_TESTS_API_WORKERS_H

#include "folder.h"

#include <sys/types.h>

struct worker {
	pid_t pid;
	int to, from;
};

/* The requests; the worker answers with the result of the library's call. */
enum request {
	JOIN = 'j',    /* joins the pool once more */
	ENTER = 'e',   /* no deadline; session 1 of a group pool */
	TRY = 't',     /* like ENTER, with ATMOST_TRY */
	ENTER_2 = '2', /* enters session 2 */
	ENTER_3 = '3',
	TRY_2 = 'r',
	WAIT_2_MS = 'g',     /* enters with a deadline in 2 ms */
	WAIT_300_MS = 'h',   /* ... in 0.3 s */
	WAIT_5_S = 's',      /* ... in 5 s: long enough to be seen waiting */
	INTERRUPTIBLE = 'i', /* like ENTER; SIGUSR1 interrupts the wait */
	INTERRUPTED = 'I',   /* like INTERRUPTIBLE; another thread sets the
				interrupt, without a signal, as soon as the
				worker gets one more request */
	UNANNOUNCED = 'u',   /* from now on the worker has no robust list: when
			      the worker dies, the kernel marks no life lock */
	LEAVE = 'l',
	PART = 'p',
	FORK = 'f',   /* forks a child that stays; answers with its pid */
	TRUST = 'T',  /* like FORK, and entrusts the member to the child */
	CHILD = 'c',  /* like TRUST, but the child calls atmost_entrust */
	BECOME = 'b', /* entrusts the member to the worker, then EXEC; no
			 answer */
	EXEC = 'x',   /* executes a program that reads its input */
	END = 'q'     /* exits without parting */
};

/* Starts a worker that opens and joins the pool. */
struct worker worker_start(const char *name);
/* Starts the worker in its own pid namespace; pid 0: this is not permitted. */
struct worker worker_start_in_namespace(const char *name);

void worker_ask(struct worker *worker, enum request request);
/* Waits for the answer; a worker that hangs fails the test. */
int worker_answer(struct worker *worker);
int worker_do(struct worker *worker, enum request request);

/* Kills the worker with SIGKILL and waits for its end. */
void worker_kill(struct worker *worker);

/* Waits until the worker sleeps in the kernel. */
void await_sleep(const struct worker *worker);

/* Waits until the worker has executed cat. */
void await_program(const struct worker *worker);

void expect_end(pid_t pid);

/* Call atmost_status, which recovers dead members, until the pool has this
 * number of waiters or of holders.  If this takes too long, the test fails. */
void await_waiters(struct atmost *pool, unsigned waiters);
void await_holders(struct atmost *pool, unsigned holders);

struct atmost_totals totals_of(struct atmost *pool);

#endif
