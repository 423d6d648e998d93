/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests resizing a pool while members enter and leave. */
#include "workers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static struct atmost *resizable(unsigned k, unsigned k_max, unsigned members)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_ASSIGNMENT,
		.k = k,
		.k_max = k_max,
		.members = members,
		.algorithm = "roster",
	};
	struct atmost *pool = NULL;

	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	return pool;
}

static void growing_lets_waiters_in(void **state)
{
	enum { MOST = 6 };
	struct atmost *pool = resizable(1, MOST, MOST);
	struct worker worker[MOST];
	unsigned slots = 1;

	(void)state;
	for (unsigned i = 0; i < MOST; i++)
		worker[i] = worker_start("pool");
	assert_int_equal(0, worker_do(&worker[0], ENTER));
	for (unsigned i = 1; i < MOST; i++) {
		worker_ask(&worker[i], ENTER);
		await_waiters(pool, i);
	}
	for (unsigned k = 2; k <= MOST; k++) {
		assert_int_equal(0, atmost_resize(pool, k));
		assert_int_equal(k, totals_of(pool).k);
		/* The waiters enter in order of arrival, and each gets its own
		 * slot. */
		slots |= 1u << worker_answer(&worker[k - 1]);
		assert_int_equal(k, totals_of(pool).holders);
		assert_int_equal(MOST - k, totals_of(pool).waiters);
	}
	assert_int_equal((1 << MOST) - 1, slots);
	for (unsigned i = 0; i < MOST; i++)
		worker_kill(&worker[i]);
	assert_int_equal(0, totals_of(pool).holders);
	assert_int_equal(MOST, totals_of(pool).k);
	atmost_close(pool);
}

static void shrinking_takes_effect_as_holders_leave(void **state)
{
	struct atmost *pool = resizable(3, 3, 4);
	struct atmost_member *member[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		member[i] = join(pool);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(i, atmost_enter(member[i], NULL));
	assert_int_equal(0, atmost_resize(pool, 1));
	assert_int_equal(1, totals_of(pool).k);
	assert_int_equal(3, totals_of(pool).holders);
	/* The resize closes the last slots: a holder that leaves one of them
	 * lets no waiter in. */
	for (unsigned i = 3; i-- > 0;) {
		assert_int_equal(ATMOST_EBUSY, atmost_enter(member[3], &try));
		assert_int_equal(0, atmost_leave(member[i]));
	}
	assert_true(atmost_enter(member[3], &try) >= 0);
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[0], &try));
	assert_int_equal(0, atmost_resize(pool, 2));
	assert_true(atmost_enter(member[0], &try) >= 0);
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[1], &try));
	atmost_close(pool);
}

static void the_closing_slot_of_a_killed_holder_is_closed(void **state)
{
	struct atmost *pool = resizable(3, 3, 5);
	struct worker worker[3];
	struct atmost_member *one = join(pool), *two = join(pool);

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		worker[i] = worker_start("pool");
		assert_true(worker_do(&worker[i], ENTER) >= 0);
	}
	assert_int_equal(0, atmost_resize(pool, 1));
	for (unsigned i = 0; i < 3; i++)
		worker_kill(&worker[i]);
	assert_true(atmost_enter(one, &try) >= 0);
	assert_int_equal(ATMOST_EBUSY, atmost_enter(two, &try));
	assert_int_equal(3, totals_of(pool).recovered);
	atmost_close(pool);
}

static void the_resize_of_a_dead_member_is_finished_by_the_next_caller(
	void **state)
{
	struct atmost *pool = resizable(3, 3, 5);
	struct atmost_member *member[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		member[i] = join(pool);
	for (unsigned k = 3; k > 0; k--) {
		file_leave_resizing("pool", k);
		/* atmost_status finishes the resize. */
		assert_int_equal(k, totals_of(pool).k);
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(i < k,
					 atmost_enter(member[i], &try) >= 0);
		for (unsigned i = 0; i < k; i++)
			assert_int_equal(0, atmost_leave(member[i]));
	}
	atmost_close(pool);
}

static void a_k_of_0_or_beyond_k_max_is_refused(void **state)
{
	struct atmost *pool = resizable(2, 4, 8);
	struct atmost *fixed = make("k-bakery", 2, 8), *mutex = NULL;
	const struct atmost_shape shape = {
		.kind = ATMOST_MUTEX,
		.algorithm = "roster",
	};

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, 0));
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, 5));
	expect_detail("between 1 and 4");
	assert_int_equal(2, totals_of(pool).k);
	assert_int_equal(ATMOST_ENOTRESIZABLE, atmost_resize(fixed, 2));
	assert_int_equal(0, atmost_create(&mutex, &shape));
	assert_int_equal(ATMOST_ENOTRESIZABLE, atmost_resize(mutex, 1));
	expect_detail("mutex");
	atmost_close(pool);
	atmost_close(fixed);
	atmost_close(mutex);
}

/* Threads that enter and leave, and threads that resize. */
struct traffic {
	struct atmost *pool;
	atomic_bool end;
	atomic_uint inside[8];
	atomic_uint passages, resizes;
};

static void *enter_and_leave(void *argument)
{
	struct traffic *b = argument;
	struct atmost_member *me;

	if (atmost_join(b->pool, &me) < 0)
		abort();
	while (!b->end) {
		int slot = atmost_enter(me, NULL);

		if (slot < 0 || slot >= 8 || b->inside[slot]++ != 0)
			abort(); /* two holders of a slot */
		b->inside[slot]--;
		b->passages++;
		if (atmost_leave(me) < 0)
			abort();
	}
	return NULL;
}

static void *change(void *argument)
{
	struct traffic *b = argument;

	for (unsigned i = 0; !b->end; i++, b->resizes++)
		if (atmost_resize(b->pool, 1 + i * 5 % 8) < 0)
			abort();
	return NULL;
}

static void two_threads_may_resize_while_others_enter_and_leave(void **state)
{
	enum { THREADS = 6 };
	struct traffic b = { .pool = resizable(4, 8, THREADS) };
	pthread_t thread[THREADS + 2];
	struct atmost_member *me;

	(void)state;
	for (unsigned t = 0; t < THREADS + 2; t++)
		assert_int_equal(0, pthread_create(&thread[t], NULL,
						   t < THREADS ? enter_and_leave
							       : change,
						   &b));
	/* Waits until there were many passages and many resizes. */
	while (b.passages <= 100 * THREADS || b.resizes <= 100)
		usleep(1000);
	b.end = true;
	for (unsigned t = 0; t < THREADS + 2; t++)
		pthread_join(thread[t], NULL);
	/* Whatever k was, k is 2 now. */
	assert_int_equal(0, atmost_resize(b.pool, 2));
	for (unsigned i = 0; i < 4; i++) {
		me = join(b.pool);
		if (i < 2)
			assert_true(atmost_enter(me, &try) >= 0);
		else
			assert_int_equal(ATMOST_EBUSY, atmost_enter(me, &try));
	}
	atmost_close(b.pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(growing_lets_waiters_in),
		TEST_IN_FOLDER(shrinking_takes_effect_as_holders_leave),
		TEST_IN_FOLDER(the_closing_slot_of_a_killed_holder_is_closed),
		TEST_IN_FOLDER(
			the_resize_of_a_dead_member_is_finished_by_the_next_caller),
		TEST_IN_FOLDER(a_k_of_0_or_beyond_k_max_is_refused),
		TEST_IN_FOLDER(
			two_threads_may_resize_while_others_enter_and_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
