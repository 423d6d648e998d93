/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that go in and out of one object, and somebody who counts them.
 */
#ifndef ATMOST_TESTS_CROWD_H
#define ATMOST_TESTS_CROWD_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"

struct crowd {
	const struct algorithm *algorithm;
	unsigned threads;
	unsigned k;
	unsigned least;   /* passages that everybody makes at least */
	double seconds;   /* goes on for so long; 0: just these passages */
	unsigned stay_us; /* sleeps so long inside; 0: works for a moment */
	int64_t patience; /* ns, random deadlines up to this; 0: none */

	/* Found out by crowd_run. */
	bool broken; /* more than k inside, or a slot held twice */
	uint64_t passages;
	uint64_t timeouts;
	unsigned most_inside;
	double wall, cpu; /* seconds */
	long switches;    /* voluntary ones */
	unsigned rings;   /* of the object's bell */
};

void crowd_run(struct crowd *crowd);

/* An object for a crowd; fails the test if there is none. */
struct atmost *crowd_object(const struct crowd *crowd);

/* The i-th of all algorithms, each composition too; NULL past the last. */
const struct algorithm *crowd_algorithm(size_t i);

/* The largest k up to `most` that it can do on threads; 0: it cannot. */
unsigned crowd_k(const struct algorithm *algorithm, unsigned most);

/* ATMOST_STRESS_SECONDS, or the given number, of which ATMOST_STRESS_SHARE may be
 * a part: how long a stress test takes. */
double crowd_seconds(double usual);

/* ATMOST_SEED, or a new one, which is printed; what crowds are random from. */
uint64_t crowd_seed(void);
uint64_t crowd_random(uint64_t *state);

/* Seconds; of all threads together. */
double crowd_now(void);
double crowd_cpu(void);

struct timespec crowd_deadline(int64_t nanoseconds);

/* Ends the program with this message if the test takes so many seconds more
 * than ATMOST_STRESS_SECONDS can make it. */
void crowd_watch(unsigned seconds, const char *message);

/* For cmocka, before and after each test: the usual wait_policy. */
int crowd_restore(void **state);
#define CROWD_TEST(name) \
	cmocka_unit_test_setup_teardown(name, crowd_restore, crowd_restore)

#endif
