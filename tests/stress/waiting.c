/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests waiting and waking: no wake-up is lost, and waiters sleep. */
#include "common/size.h"
#include "workers.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Naps last an hour, so that a lost wake-up becomes a hang. */
static void nap_for_an_hour(unsigned looks, bool vector)
{
	wait_policy.nap = INT64_C(3600) * 1000000000;
	wait_policy.nap_most = wait_policy.blind_nap = wait_policy.nap;
	wait_policy.pauses = looks;
	wait_policy.spin = 0;
	wait_policy.yields = 0;
	wait_policy.vector = vector;
	watchdog_start("a wake-up was lost\n");
}

static void run_threads(const struct algorithm *a, unsigned threads, unsigned k)
{
	struct workers workers = {
		.algorithm = a,
		.threads = threads,
		.k = k,
		.least = 20,
		.seconds = clock_stress_seconds(0.2),
	};

	if (!k)
		return;
	workers_run(&workers);
	print_message("%-14s threads %2u  k %u  %8ju passages  %8ld switches  "
		      "%6u rings\n",
		      a->name, threads, k, (uintmax_t)workers.passages,
		      workers.switches, workers.rings);
	assert_false(workers.broken);
}

static void run_all(void)
{
	const struct algorithm *a;

	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		run_threads(a, 3, workers_k(a, 1));
		run_threads(a, 6, workers_k(a, 2));
	}
}

static void no_wake_up_is_lost_if_waiters_sleep_at_once(void **state)
{
	(void)state;
	nap_for_an_hour(0, true);
	run_all();
}

static void no_wake_up_is_lost_if_waiters_spin_first(void **state)
{
	(void)state;
	nap_for_an_hour(20, true);
	run_all();
}

static void no_wake_up_is_lost_if_waiters_sleep_on_the_bell(void **state)
{
	(void)state;
	nap_for_an_hour(0, false);
	run_all();
}

/* A waiter of k-bakery waits for a word of each member: for more words than a
 * sleep can watch. */
static void many_waiters_of_k_bakery_sleep_on_the_bell(void **state)
{
	struct workers workers = {
		.algorithm = registry_find("k-bakery"),
		.threads = size_is_small() ? 150 : 200,
		.k = 3,
		.least = size_is_small() ? 1 : 2,
		.stay_us = 1000,
		.sleep_first = true,
	};

	(void)state;
	nap_for_an_hour(0, true);
	workers_run(&workers);
	print_message("%ju passages, %u rings, %.2f ms cpu each, %.1f switches "
		      "each\n",
		      (uintmax_t)workers.passages, workers.rings,
		      workers.cpu * 1e3 / (double)workers.passages,
		      (double)workers.switches / (double)workers.passages);
	assert_false(workers.broken);
	assert_true(workers.rings > 0);
}

static void a_wake_without_sleepers_changes_nothing(void **state)
{
	static struct word word;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		mem_write(&word, i);
		mem_wake(&word);
		mem_wake_weak(&word);
	}
	assert_int_equal(0, word.gate);
}

static void *wait_for_one(void *argument)
{
	struct word *word = argument;
	uint64_t v;

	await(v, word, v == 1);
	return NULL;
}

static void a_write_without_its_wake_is_seen_after_a_nap(void **state)
{
	static struct word word;
	pthread_t waiter;
	double start;

	(void)state;
	watchdog_start("the waiter does not end its nap\n");
	assert_int_equal(0, pthread_create(&waiter, NULL, wait_for_one, &word));
	while (!(word.gate & GATE_SLEEPER))
		usleep(100);
	start = clock_seconds();
	mem_write(&word, 1);
	pthread_join(waiter, NULL);
	print_message("seen after %.1f ms\n", (clock_seconds() - start) * 1e3);
}

/* A handler may run after the waiter has looked at the flag and before it
 * sleeps. */
static void a_wait_that_was_just_interrupted_does_not_sleep(void **state)
{
	static struct word word;
	static volatile int interrupt;
	const struct wait_watch watch = { .interrupt = &interrupt };
	struct wait_set set;
	struct timespec deadline;

	(void)state;
	nap_for_an_hour(0, true);
	wait_begin(&set);
	deadline = clock_deadline(1000000);
	for (unsigned pass = 0; pass < 10; pass++) {
		wait_for_change(&set, &word, mem_read(&word));
		wait_watching(&set, &deadline, &watch);
		interrupt = pass > 5;
		if (interrupt)
			deadline = clock_deadline(INT64_C(3600000000000));
		if (!wait_policy.vector)
			skip(); /* old kernel: noticed when the nap ends */
	}
}

enum { WAITERS = 100, TIMES = 20 };

struct waiters {
	struct atmost *pool;
	_Atomic pid_t thread[WAITERS]; /* kernel ids; 0: not started */
	atomic_uint started;
};

static void *wait_for_slot(void *argument)
{
	struct waiters *w = argument;
	struct atmost_member *me;

	if (atmost_join(w->pool, &me) < 0)
		abort();
	w->thread[w->started++] = gettid();
	if (atmost_enter(me, NULL) < 0 || atmost_leave(me) < 0)
		abort();
	return NULL;
}

/* Waits until it has seen each waiter asleep TIMES times. */
static void await_sleepers(struct waiters *w)
{
	for (unsigned i = 0; i < WAITERS; i++)
		for (unsigned seen = 0; seen < TIMES;) {
			pid_t thread = w->thread[i];

			if (thread && thread_sleeps(thread))
				seen++;
			else
				usleep(1000);
		}
}

/* A waiter that spins or yields is never asleep. */
static void wait_asleep(const struct algorithm *a)
{
	struct workers workers = { .algorithm = a,
				   .threads = WAITERS + 1,
				   .k = 1 };
	struct waiters w = { .pool = workers_pool(&workers) };
	struct atmost_member *me;
	pthread_t threads[WAITERS];

	assert_int_equal(0, atmost_join(w.pool, &me));
	assert_int_equal(0, atmost_enter(me, NULL));
	for (unsigned i = 0; i < WAITERS; i++)
		assert_int_equal(0, pthread_create(&threads[i], NULL,
						   wait_for_slot, &w));
	await_sleepers(&w);
	assert_int_equal(0, atmost_leave(me));
	for (unsigned i = 0; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	atmost_close(w.pool);
	print_message("%-14s %d waiters, each seen asleep %d times\n", a->name,
		      WAITERS, TIMES);
}

static void a_hundred_waiters_sleep(void **state)
{
	(void)state;
	watchdog_start("a waiter does not sleep, or is stuck\n");
	wait_asleep(registry_find("k-ticket"));
	wait_asleep(registry_find("k-bakery"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(no_wake_up_is_lost_if_waiters_sleep_at_once),
		STRESS_TEST(no_wake_up_is_lost_if_waiters_spin_first),
		STRESS_TEST(no_wake_up_is_lost_if_waiters_sleep_on_the_bell),
		STRESS_TEST(many_waiters_of_k_bakery_sleep_on_the_bell),
		STRESS_TEST(a_wake_without_sleepers_changes_nothing),
		STRESS_TEST(a_write_without_its_wake_is_seen_after_a_nap),
		STRESS_TEST(a_wait_that_was_just_interrupted_does_not_sleep),
		STRESS_TEST(a_hundred_waiters_sleep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
