/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A queue of worker processes, whose naps have lengths that the test chooses.
 */
#ifndef ATMOST_TESTS_API_WAITING_H
#define ATMOST_TESTS_API_WAITING_H

#include "workers.h"

#include "runtime/pool.h"

enum { WAITING_MOST = 20 };

static const int64_t MS = 1000000, HOUR = INT64_C(3600000000000); /* ns */

struct queue {
	struct atmost *pool;
	unsigned held, waits;
	/* pid 0: the worker was killed. */
	struct worker holder[4], waiter[WAITING_MOST];
};

int waiting_set_up(void **state);
int waiting_tear_down(void **state);
#define WAITING_TEST(name) \
	cmocka_unit_test_setup_teardown(name, waiting_set_up, waiting_tear_down)

/* Sets the length of the first nap, and the longest nap of the first waiter. */
void nap_for(int64_t first, int64_t most);

/*
 * Returns false, and prints that the test is skipped, if the kernel has no
 * futex_waitv: waiters then watch nothing.
 */
bool waiters_watch(void);

/* A pool with `held` holders, and no waiters yet. */
struct queue make_queue(const char *algorithm, unsigned k, unsigned held);
void end_queue(struct queue *q);

/* Adds a waiter that makes the request. */
void add_waiter(struct queue *q, enum request request);

/*
 * Adds a waiter whose death the kernel does not announce.  If `known` is true,
 * the waiter knows this when it joins, and says so in its record.
 */
void add_unannounced(struct queue *q, bool known);

void kill_one(struct worker *worker);

struct record *record_of(const struct queue *q, const struct worker *worker);

/*
 * Waits until `follower`, the waiter behind `waiter`, sleeps and watches the
 * turn of `waiter`.
 */
void await_follower(const struct queue *q, const struct worker *waiter,
		    const struct worker *follower);
/* Waits until each waiter sleeps, and watches the waiter in front of it. */
void await_queue(const struct queue *q);

/* count_switches returns the number of voluntary context switches that the
 * worker has made; each sleep is one.  await_switches waits until this number
 * is at least `count`. */
long count_switches(const struct worker *worker);
void await_switches(const struct worker *worker, long count);

#endif
