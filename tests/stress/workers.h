/* SPDX-License-Identifier: BSD-2-Clause */
/* Worker threads enter and leave one pool, and count what happens. */
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
	bool sleep_first; /* no worker gets in until all of them sleep */

	/* Results of workers_run. */
	bool broken; /* more than k members were inside, or a slot had two
			holders */
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

/*
 * Returns the i-th of all algorithms and compositions, or NULL if there are
 * fewer.
 */
const struct algorithm *workers_algorithm(size_t i);

/* Returns the largest k up to `most` that the algorithm supports with threads,
 * or 0 if it supports none. */
unsigned workers_k(const struct algorithm *algorithm, unsigned most);

/* cmocka calls this function before and after each test: it restores
 * wait_policy and stops the watchdog. */
int workers_restore(void **state);
#define STRESS_TEST(name) \
	cmocka_unit_test_setup_teardown(name, workers_restore, workers_restore)

#endif
