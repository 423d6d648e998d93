/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the three ways to enter: without waiting, with a deadline, and without
 * a deadline.
 */
#include "api.h"
#include "common/clock.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void a_try_that_fails_leaves_no_trace(void **state)
{
	struct atmost *pool = make("k-bakery", 2, 4);
	struct atmost_member *member[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		member[i] = join(pool);
	assert_int_equal(0, atmost_enter(member[0], &try));
	assert_int_equal(0, atmost_enter(member[1], &try));
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(ATMOST_EBUSY, atmost_enter(member[2], &try));
		assert_int_equal(ATMOST_EBUSY, atmost_enter(member[3], &try));
	}
	assert_string_equal(atmost_detail(), atmost_strerror(ATMOST_EBUSY));
	assert_int_equal(0, atmost_leave(member[0]));
	assert_int_equal(0, atmost_enter(member[3], &try));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[2], &try));
	assert_int_equal(0, atmost_leave(member[1]));
	assert_int_equal(0, atmost_enter(member[2], &try));
	atmost_close(pool);
}

/* A waiter behind a holder times out, and leaves no trace. */
static void expect_timeout(const char *algorithm, unsigned members)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_MUTEX,
		.members = members,
		.algorithm = algorithm,
	};
	struct timespec deadline;
	struct atmost_want want = { .deadline = &deadline };
	struct atmost *pool = NULL;
	struct atmost_member *holder, *waiter;

	assert_int_equal(0, atmost_create(&pool, &shape));
	holder = join(pool);
	for (unsigned i = 0; i < 3; i++) {
		deadline = clock_deadline(2000000);
		assert_int_equal(0, atmost_enter(holder, &want));
		if (members > 1) {
			waiter = join(pool);
			deadline = clock_deadline(2000000);
			assert_int_equal(ATMOST_ETIMEDOUT,
					 atmost_enter(waiter, &want));
			assert_int_equal(0, atmost_leave(holder));
			assert_int_equal(0, atmost_enter(waiter, &try));
			assert_int_equal(ATMOST_EBUSY,
					 atmost_enter(holder, &try));
			assert_int_equal(0, atmost_leave(waiter));
			atmost_part(waiter);
		} else {
			assert_int_equal(0, atmost_leave(holder));
		}
	}
	atmost_close(pool);
}

static void a_mutex_that_can_give_up_takes_a_deadline(void **state)
{
	(void)state;
	expect_timeout("bakery-mutex", 1);
	expect_timeout("bakery-mutex", 2);
	expect_timeout("bakery-mutex", 100);
	expect_timeout("tree-mutex", 1);
	expect_timeout("tree-mutex", 2);
	expect_timeout("tree-mutex", 100);
	expect_timeout("tree-mutex", 65534);
}

static void an_algorithm_that_cannot_give_up_refuses_deadlines(void **state)
{
	static const char *const names[] = {
		"k-ticket",
		"am-induction",
		"bakery",
		"dijkstra",
	};
	const struct timespec past = { .tv_sec = 0 };
	const struct atmost_want limited = { .deadline = &past };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct atmost *pool = make(names[i], 1, 2);
		struct atmost_member *me = join(pool);

		assert_int_equal(ATMOST_ENOTABORTABLE, atmost_enter(me, &try));
		expect_detail(names[i]);
		assert_int_equal(ATMOST_ENOTABORTABLE,
				 atmost_enter(me, &limited));
		assert_int_equal(0, atmost_enter(me, NULL));
		atmost_close(pool);
	}
}

static void an_impossible_want_is_refused(void **state)
{
	static const struct timespec no_times[] = {
		{ .tv_nsec = 1000000000 },
		{ .tv_nsec = -1 },
		{ .tv_nsec = LONG_MAX },
		{ .tv_nsec = LONG_MIN },
	};
	static const unsigned unknown[] = { 2, 6, 1u << 31, UINT_MAX };
	const struct atmost_want nothing = { .flags = 0 };
	struct atmost *pool = make("k-bakery", 1, 2);
	struct atmost_member *me = join(pool);

	(void)state;
	assert_int_equal(-27, ATMOST_EWANT);
	for (unsigned i = 0; i < 4; i++) {
		const struct atmost_want odd = { .flags = unknown[i] };
		const struct atmost_want wrong = { .deadline = &no_times[i] };
		char number[32];

		assert_int_equal(ATMOST_EWANT, atmost_enter(me, &odd));
		snprintf(number, sizeof number, "%#x", unknown[i]);
		expect_detail(number);
		assert_int_equal(ATMOST_EWANT, atmost_enter(me, &wrong));
		snprintf(number, sizeof number, "%ld", no_times[i].tv_nsec);
		expect_detail(number);
	}
	assert_int_equal(0, atmost_enter(me, &nothing));
	assert_int_equal(ATMOST_EINSIDE, atmost_enter(me, &nothing));
	atmost_close(pool);
}

static atomic_uint signals;

static void count_signal(int signal)
{
	(void)signal;
	signals++;
}

struct waiter {
	struct atmost *pool;
	const struct atmost_want *want;
	atomic_bool inside;
};

static void *wait_in_line(void *argument)
{
	struct waiter *w = argument;
	struct atmost_member *me;

	if (atmost_join(w->pool, &me) < 0 || atmost_enter(me, w->want) < 0)
		abort();
	w->inside = true;
	atmost_leave(me);
	return NULL;
}

static void a_signal_does_not_end_a_wait(void **state)
{
	static const char *const names[] = { "k-ticket", "k-bakery", "room",
					     "hall" };
	const struct atmost_want other = { .session = 2 };

	(void)state;
	signal(SIGUSR1, count_signal);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct waiter w = { .pool = make(names[i], 1, 3),
				    .want = is_hall(names[i]) ? &other : NULL };
		struct atmost_member *me = join(w.pool);
		pthread_t thread;

		signals = 0;
		assert_int_equal(0, atmost_enter(me, NULL));
		assert_int_equal(0, pthread_create(&thread, NULL, wait_in_line,
						   &w));
		for (unsigned j = 0; j < 10; j++) {
			usleep(5000);
			pthread_kill(thread, SIGUSR1);
		}
		while (signals == 0)
			usleep(1000);
		assert_false(w.inside);
		assert_int_equal(0, atmost_leave(me));
		pthread_join(thread, NULL);
		assert_true(w.inside);
		atmost_close(w.pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_try_that_fails_leaves_no_trace),
		TEST(a_mutex_that_can_give_up_takes_a_deadline),
		TEST(an_algorithm_that_cannot_give_up_refuses_deadlines),
		TEST(an_impossible_want_is_refused),
		TEST(a_signal_does_not_end_a_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
