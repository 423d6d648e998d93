/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worker threads that enter and leave one pool, and counts of what they did.
 */
#ifndef ATMOST_TESTS_STRESS_WORKERS_H
#define ATMOST_TESTS_STRESS_WORKERS_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"
#include "common/clock.h"
#include "common/prng.h"
#include "common/watchdog.h"

struct workers {
	const struct algorithm *algorithm;
	unsigned threads;
	unsigned k;
	unsigned least;   /* every worker makes at least this many passages */
	double seconds;   /* and every worker works at least this long */
	unsigned stay_us; /* how long a holder sleeps inside; 0: it spins */
	int64_t patience; /* ns, the longest random deadline; 0: no deadlines */

	/* Results of workers_run. */
	bool broken; /* more than k were inside, or a slot was held twice */
	uint64_t passages;
	uint64_t timeouts;
	unsigned most_inside;
	double wall, cpu; /* seconds, to be printed */
	long switches;    /* voluntary context switches */
	unsigned rings;   /* how often the pool's bell rang */
};

void workers_run(struct workers *workers);

/* Creates a pool for the workers; a failure fails the test. */
struct atmost *workers_pool(const struct workers *workers);

/* The i-th of all algorithms and compositions; NULL past the last. */
const struct algorithm *workers_algorithm(size_t i);

/* The largest k up to `most` that the algorithm supports on threads; 0:
 * none. */
unsigned workers_k(const struct algorithm *algorithm, unsigned most);

/* cmocka calls this function before and after each test: it restores
 * wait_policy and stops the watchdog. */
int workers_restore(void **state);
#define STRESS_TEST(name) \
	cmocka_unit_test_setup_teardown(name, workers_restore, workers_restore)

#endif
