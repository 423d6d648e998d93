/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests every algorithm of the registry with real threads. */
#include "common/size.h"
#include "workers.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void run_threads(const struct algorithm *a, unsigned threads, unsigned k,
			double seconds)
{
	struct workers workers = {
		.algorithm = a,
		.threads = threads,
		.k = k,
		.least = 50,
		.seconds = seconds,
	};

	workers_run(&workers);
	print_message("%-25s threads %2u  k %u  most inside %u  %8ju passages  "
		      "%6.2f us cpu each\n",
		      a->name, threads, k, workers.most_inside,
		      (uintmax_t)workers.passages,
		      workers.cpu * 1e6 / (double)workers.passages);
	assert_false(workers.broken);
}

/* Writes without a pause, because the test needs reads that overlap a write. */
static void *write_ones_and_zeros(void *argument)
{
	struct word *word = argument;

	for (uint64_t v = 0; mem_read(&word[1]) == 0; v = ~v)
		safe_write(&word[0], v);
	return NULL;
}

static void a_safe_read_that_overlaps_a_write_may_be_torn(void **state)
{
	static struct word word[2]; /* the register, and "stop" */
	uint64_t reads = 0, torn = 0;
	pthread_t writer;

	(void)state;
	watchdog_start("no read is torn\n");
	assert_int_equal(0, pthread_create(&writer, NULL, write_ones_and_zeros,
					   word));
	while (torn < 100) {
		uint64_t v = safe_read(&word[0]);

		reads++;
		torn += v != 0 && v != UINT64_MAX;
	}
	mem_write(&word[1], 1);
	pthread_join(writer, NULL);
	print_message("%ju of %ju reads were torn\n", (uintmax_t)torn,
		      (uintmax_t)reads);
}

static void every_algorithm_lets_at_most_k_threads_in(void **state)
{
	static const unsigned sizes[][2] = { { 2, 1 }, { 4, 3 }, { 8, 2 } };
	double seconds = clock_stress_seconds(0.3);
	const struct algorithm *a;

	(void)state;
	watchdog_start("a thread is stuck\n");
	for (size_t i = 0; (a = workers_algorithm(i)) != NULL; i++)
		for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
			if (workers_k(a, sizes[j][1]))
				run_threads(a, sizes[j][0],
					    workers_k(a, sizes[j][1]), seconds);
}

/*
 * All slots are taken until each of the 64 threads has been seen asleep; the
 * watchdog ends the test if one of them spins.  If the algorithm's `enter`
 * retries, its waiters need not sleep, and the test does not wait for their
 * sleep.  The test prints the processor time and the context switches and does
 * not assert them, because they depend on the load of the machine and on the
 * sanitizer.
 */
static void sixty_four_waiting_threads_sleep_instead_of_spinning(void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a thread is stuck, or spins\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		struct workers workers = {
			.algorithm = a,
			.threads = 64,
			.k = workers_k(a, 4),
			.least = 2,
			.stay_us = (size_is_small() ? 1000 : 5000) *
				   workers_k(a, 4),
			.sleep_first = !(a->retries && a->enter),
		};
		double each;

		if (!workers.k)
			continue;
		workers_run(&workers);
		each = (double)workers.passages;
		print_message("%-14s 64 threads  k %u  %2u ms inside  "
			      "%7.1f us cpu each  %6.1f switches each  "
			      "%4.1f %% of one cpu\n",
			      a->name, workers.k, workers.stay_us / 1000,
			      workers.cpu * 1e6 / each,
			      (double)workers.switches / each,
			      100 * workers.cpu / workers.wall);
		assert_false(workers.broken);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(a_safe_read_that_overlaps_a_write_may_be_torn),
		STRESS_TEST(every_algorithm_lets_at_most_k_threads_in),
		STRESS_TEST(
			sixty_four_waiting_threads_sleep_instead_of_spinning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
