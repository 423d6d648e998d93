/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that waiters give up only after their deadline, and leave no trace in
 * the pool.
 */
#include "workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MEMBERS = 8 };

static struct atmost *create_pool(const struct algorithm *a, unsigned k)
{
	struct workers workers = { .algorithm = a, .threads = MEMBERS, .k = k };

	return workers_pool(&workers);
}

/* Finds out by trying how many members can be inside at the same time. */
static unsigned count_free_slots(struct atmost *pool)
{
	const struct atmost_want try = { .session = 1, .flags = ATMOST_TRY };
	struct atmost_member *all[MEMBERS];
	unsigned inside = 0;

	for (unsigned i = 0; i < MEMBERS; i++) {
		assert_int_equal(0, atmost_join(pool, &all[i]));
		inside += atmost_enter(all[i], &try) >= 0;
	}
	for (unsigned i = 0; i < MEMBERS; i++)
		atmost_part(all[i]);
	return inside;
}

static void expect_timeouts(const struct algorithm *a)
{
	struct atmost *pool = create_pool(a, 1);
	struct atmost_member *holder, *me;
	double worst = 0;

	assert_int_equal(0, atmost_join(pool, &holder));
	assert_int_equal(0, atmost_join(pool, &me));
	assert_int_equal(0, atmost_enter(holder, NULL));
	for (int ms = 0; ms <= 64; ms = ms ? 2 * ms : 1) {
		struct timespec deadline = clock_deadline(ms * 1000000);
		struct atmost_want want = { .deadline = &deadline,
					    .session = 1 };
		double late;

		assert_int_equal(ATMOST_ETIMEDOUT, atmost_enter(me, &want));
		late = clock_seconds() - (double)deadline.tv_sec -
		       (double)deadline.tv_nsec / 1e9;
		worst = late > worst ? late : worst;
		/* The wait ended after its deadline. */
		assert_true(late >= 0);
	}
	assert_int_equal(0, atmost_leave(holder));
	atmost_part(holder);
	atmost_part(me);
	assert_int_equal(1, count_free_slots(pool));
	atmost_close(pool);
	print_message("%-14s at most %.2f ms late\n", a->name, worst * 1e3);
}

static void a_waiter_gives_up_after_its_deadline_and_not_before(void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a deadline does not end the wait\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		if (workers_k(a, 1) && a->abort)
			expect_timeouts(a);
}

static void run_with_deadlines(const struct algorithm *a, int64_t patience)
{
	struct workers workers = {
		.algorithm = a,
		.threads = MEMBERS,
		.k = workers_k(a, 2),
		.least = 5,
		.seconds = clock_stress_seconds(0.5),
		.patience = patience,
	};

	workers_run(&workers);
	print_message("%-14s deadlines to %5jd us  %8ju passages  %8ju given "
		      "up\n",
		      a->name, (intmax_t)patience / 1000,
		      (uintmax_t)workers.passages, (uintmax_t)workers.timeouts);
	assert_false(workers.broken);
	assert_true(workers.timeouts > 0);
}

/*
 * Tests that every worker makes its passages, even if most attempts time out.
 */
static void a_waiter_that_gives_up_does_not_block_the_others(void **state)
{
	const struct algorithm *a;

	(void)state;
	watchdog_start("a worker is stuck\n");
	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		if (!workers_k(a, 2) || !a->abort)
			continue;
		run_with_deadlines(a, 10000);
		run_with_deadlines(a, 100000);
		wait_policy.pauses = wait_policy.yields = 0;
		run_with_deadlines(a, 100000);
		wait_policy.vector = false;
		run_with_deadlines(a, 100000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRESS_TEST(
			a_waiter_gives_up_after_its_deadline_and_not_before),
		STRESS_TEST(a_waiter_that_gives_up_does_not_block_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
