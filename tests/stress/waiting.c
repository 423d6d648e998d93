/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waiting and waking: what is never lost, and what it costs.
 */
#include "crowd.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* With naps of an hour a wake-up that is lost is a test that does not end. */
static void no_naps(unsigned looks, bool vector)
{
	wait_policy.nap = INT64_C(3600) * 1000000000;
	wait_policy.nap_most = wait_policy.blind_nap = wait_policy.nap;
	wait_policy.pauses = looks;
	wait_policy.spin = 0;
	wait_policy.yields = 0;
	wait_policy.vector = vector;
	crowd_watch(120, "a wake-up was lost\n");
}

static void wake(const struct algorithm *a, unsigned threads, unsigned k)
{
	struct crowd crowd = {
		.algorithm = a,
		.threads = threads,
		.k = k,
		.least = 20,
		.seconds = crowd_seconds(0.2),
	};

	if (!k)
		return;
	crowd_run(&crowd);
	print_message("%-14s threads %2u  k %u  %8ju passages  %8ld switches  "
		      "%6u rings\n",
		      a->name, threads, k, (uintmax_t)crowd.passages,
		      crowd.switches, crowd.rings);
	assert_false(crowd.broken);
}

static void wake_all(void)
{
	const struct algorithm *a;

	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		wake(a, 3, crowd_k(a, 1));
		wake(a, 6, crowd_k(a, 2));
	}
}

static void no_wake_up_is_lost_if_all_sleep_at_once(void **state)
{
	(void)state;
	no_naps(0, true);
	wake_all();
}

static void no_wake_up_is_lost_if_they_look_first(void **state)
{
	(void)state;
	no_naps(20, true);
	wake_all();
}

static void no_wake_up_is_lost_on_the_bell(void **state)
{
	(void)state;
	no_naps(0, false);
	wake_all();
}

static void two_hundred_that_wait_for_each_other_use_the_bell(void **state)
{
	struct crowd crowd = {
		.algorithm = registry_find("k-bakery"),
		.threads = 200,
		.k = 3,
		.least = 2,
		.stay_us = 1000,
	};

	(void)state;
	no_naps(0, true);
	crowd_run(&crowd);
	print_message("%ju passages, %u rings, %.2f ms cpu each, %.1f switches "
		      "each\n",
		      (uintmax_t)crowd.passages, crowd.rings,
		      crowd.cpu * 1e3 / (double)crowd.passages,
		      (double)crowd.switches / (double)crowd.passages);
	assert_false(crowd.broken);
	assert_true(crowd.rings > 0);
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
	pthread_t sleeper;
	double start;

	(void)state;
	crowd_watch(60, "the sleeper does not nap\n");
	assert_int_equal(0,
			 pthread_create(&sleeper, NULL, wait_for_one, &word));
	while (!(word.gate & GATE_SLEEPER))
		usleep(100);
	usleep(5000);
	start = crowd_now();
	mem_write(&word, 1);
	pthread_join(sleeper, NULL);
	print_message("%.1f ms late\n", (crowd_now() - start) * 1e3);
}

struct queue {
	struct atmost *object;
	atomic_uint arrived;
};

static void *stand_in_line(void *argument)
{
	struct queue *queue = argument;
	struct atmost_member *me;

	if (atmost_join(queue->object, &me) < 0)
		abort();
	queue->arrived++;
	if (atmost_enter(me, NULL) < 0 || atmost_leave(me) < 0)
		abort();
	return NULL;
}

/* The share of one cpu that waiting costs, from its second second on. */
static double price_of_waiting(const struct algorithm *a)
{
	enum { WAITERS = 100 };
	struct crowd crowd = { .algorithm = a, .threads = WAITERS + 1, .k = 1 };
	struct queue queue = { .object = crowd_object(&crowd) };
	struct atmost_member *me;
	pthread_t threads[WAITERS];
	double cpu, start;

	assert_int_equal(0, atmost_join(queue.object, &me));
	assert_int_equal(0, atmost_enter(me, NULL));
	for (unsigned i = 0; i < WAITERS; i++)
		assert_int_equal(0, pthread_create(&threads[i], NULL,
						   stand_in_line, &queue));
	while (queue.arrived < WAITERS)
		usleep(1000);
	usleep(1000000);
	cpu = crowd_cpu();
	start = crowd_now();
	usleep(1000000);
	cpu = (crowd_cpu() - cpu) / (crowd_now() - start);
	assert_int_equal(0, atmost_leave(me));
	for (unsigned i = 0; i < WAITERS; i++)
		pthread_join(threads[i], NULL);
	atmost_close(queue.object);
	return cpu;
}

static void a_hundred_waiters_cost_almost_nothing(void **state)
{
	static const char *const names[] = { "k-ticket", "k-bakery" };

	(void)state;
	crowd_watch(120, "a waiter is stuck\n");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		double cpu = price_of_waiting(registry_find(names[i]));

		print_message("%-14s 100 waiters: %.2f %% of one cpu\n",
			      names[i], 100 * cpu);
		assert_true(cpu < 0.1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(no_wake_up_is_lost_if_all_sleep_at_once),
		CROWD_TEST(no_wake_up_is_lost_if_they_look_first),
		CROWD_TEST(no_wake_up_is_lost_on_the_bell),
		CROWD_TEST(two_hundred_that_wait_for_each_other_use_the_bell),
		CROWD_TEST(a_wake_without_sleepers_changes_nothing),
		CROWD_TEST(a_write_without_its_wake_is_seen_after_a_nap),
		CROWD_TEST(a_hundred_waiters_cost_almost_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
