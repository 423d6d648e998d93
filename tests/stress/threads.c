/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every algorithm of the registry on real threads.
 */
#include "crowd.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void run(const struct algorithm *a, unsigned threads, unsigned k,
		double seconds)
{
	struct crowd crowd = {
		.algorithm = a,
		.threads = threads,
		.k = k,
		.least = 50,
		.seconds = seconds,
	};

	crowd_run(&crowd);
	print_message("%-25s threads %2u  k %u  most inside %u  %8ju passages  "
		      "%6.2f us cpu each\n",
		      a->name, threads, k, crowd.most_inside,
		      (uintmax_t)crowd.passages,
		      crowd.cpu * 1e6 / (double)crowd.passages);
	assert_false(crowd.broken);
}

/* A reader that never met a write half-way would test nothing. */
static void *write_ones_and_zeros(void *argument)
{
	struct word *word = argument;

	for (uint64_t v = 0; mem_read(&word[1]) == 0; v = ~v)
		safe_write(&word[0], v);
	return NULL;
}

static void a_safe_read_that_overlaps_a_write_is_torn(void **state)
{
	static struct word word[2]; /* the register, and "stop" */
	double end = crowd_now() + 5;
	uint64_t reads = 0, torn = 0;
	pthread_t writer;

	(void)state;
	assert_int_equal(0, pthread_create(&writer, NULL, write_ones_and_zeros,
					   word));
	while (torn < 100 && crowd_now() < end) {
		uint64_t v = safe_read(&word[0]);

		reads++;
		torn += v != 0 && v != UINT64_MAX;
	}
	mem_write(&word[1], 1);
	pthread_join(writer, NULL);
	print_message("%ju of %ju reads were torn\n", (uintmax_t)torn,
		      (uintmax_t)reads);
	assert_true(torn > 0);
}

static void every_algorithm_lets_at_most_k_threads_in(void **state)
{
	static const unsigned sizes[][2] = { { 2, 1 }, { 4, 3 }, { 8, 2 } };
	double seconds = crowd_seconds(0.3);
	const struct algorithm *a;

	(void)state;
	crowd_watch(300, "a thread is stuck\n");
	for (size_t i = 0; (a = crowd_algorithm(i)) != NULL; i++)
		for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
			if (crowd_k(a, sizes[j][1]))
				run(a, sizes[j][0], crowd_k(a, sizes[j][1]),
				    seconds);
}

/*
 * A waiter that spins makes no voluntary switch.  Each passage makes one inside,
 * in the sleep that stands for work, so at least as many more must come from
 * waiting.  The processor time is printed and not judged: it depends on the load
 * of the machine and on the sanitizer.  Algorithms that retry by nature, as their
 * cards say, are not asked.
 */
static void sixty_four_threads_sleep_instead_of_spinning(void **state)
{
	const struct algorithm *a;

	(void)state;
	crowd_watch(300, "a thread is stuck\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		struct crowd crowd = {
			.algorithm = a,
			.threads = 64,
			.k = crowd_k(a, 4),
			.least = 2,
			.stay_us = 5000 * crowd_k(a, 4),
		};
		double each;

		if (!crowd.k)
			continue;
		crowd_run(&crowd);
		each = (double)crowd.passages;
		print_message("%-14s 64 threads  k %u  %2u ms inside  "
			      "%7.1f us cpu each  %6.1f switches each  "
			      "%4.1f %% of one cpu\n",
			      a->name, crowd.k, crowd.stay_us / 1000,
			      crowd.cpu * 1e6 / each,
			      (double)crowd.switches / each,
			      100 * crowd.cpu / crowd.wall);
		assert_false(crowd.broken);
		if (!(a->retries && a->enter))
			assert_true(crowd.switches >= 2 * (long)crowd.passages);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CROWD_TEST(a_safe_read_that_overlaps_a_write_is_torn),
		CROWD_TEST(every_algorithm_lets_at_most_k_threads_in),
		CROWD_TEST(sixty_four_threads_sleep_instead_of_spinning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
