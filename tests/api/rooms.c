/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests group pools that several processes share: order, status, limits, and
 * killed holders.  life.c tests the facts that hold with and without sessions.
 * The tests of pools without a limit run with both algorithms that can be the
 * default of a group pool.
 */
#include "workers.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The algorithm of the pools without a limit; NULL: the default. */
static const char *algorithm;

static int use_room(void **state)
{
	(void)state;
	algorithm = "room";
	return 0;
}

/* In a pool of hall, the slot of a member is its id: the worker that was started
 * i-th has slot i.  room gives out the lowest free slot. */
static unsigned slot(unsigned worker, unsigned in_room)
{
	return algorithm ? in_room : worker;
}

static struct atmost *open_group(unsigned k, unsigned k_max, unsigned members)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.k = k,
		.k_max = k_max,
		.members = members,
		.algorithm = algorithm,
	};
	struct atmost *pool = NULL;

	assert_int_equal(0, atmost_open(&pool, "pool", &shape));
	return pool;
}

static void start_all(struct worker *worker, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		worker[i] = worker_start("pool");
}

static void kill_all(struct worker *worker, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		worker_kill(&worker[i]);
}

static void a_member_behind_another_session_waits(void **state)
{
	struct atmost *pool = open_group(0, 0, 4);
	struct worker a[4];

	(void)state;
	start_all(a, 4);
	assert_int_equal(0, worker_do(&a[0], ENTER));
	worker_ask(&a[1], ENTER_2);
	await_waiters(pool, 1);
	/* The session of worker 2 is inside, but another session waits. */
	assert_int_equal(ATMOST_EBUSY, worker_do(&a[2], TRY));
	worker_ask(&a[2], ENTER);
	await_waiters(pool, 2);
	worker_ask(&a[3], ENTER_2);
	await_waiters(pool, 3);
	for (unsigned i = 1; i < 4; i++) {
		assert_int_equal(0, worker_do(&a[i - 1], LEAVE));
		assert_int_equal(slot(i, 0), worker_answer(&a[i]));
		assert_int_equal(3 - i, totals_of(pool).waiters);
	}
	kill_all(a, 4);
	atmost_close(pool);
}

static void waiters_of_one_session_enter_together(void **state)
{
	enum { TOGETHER = 5 };
	struct atmost *pool = open_group(0, 0, TOGETHER + 2);
	struct worker a[TOGETHER + 2];
	unsigned slots = 0;

	(void)state;
	start_all(a, TOGETHER + 2);
	assert_int_equal(0, worker_do(&a[0], ENTER));
	for (unsigned i = 1; i <= TOGETHER; i++) {
		worker_ask(&a[i], ENTER_2);
		await_waiters(pool, i);
	}
	worker_ask(&a[TOGETHER + 1], ENTER_3);
	await_waiters(pool, TOGETHER + 1);
	assert_int_equal(0, worker_do(&a[0], LEAVE));
	for (unsigned i = 1; i <= TOGETHER; i++)
		slots |= 1u << worker_answer(&a[i]);
	assert_int_equal(((1 << TOGETHER) - 1) << slot(1, 0), slots);
	assert_int_equal(TOGETHER, totals_of(pool).holders);
	assert_int_equal(1, totals_of(pool).waiters);
	kill_all(a, TOGETHER + 2);
	assert_int_equal(TOGETHER + 2, totals_of(pool).recovered);
	atmost_close(pool);
}

static void status_shows_sessions_slots_and_the_order(void **state)
{
	static const enum request requests[] = { ENTER_2, ENTER_3, ENTER,
						 ENTER_2 };
	static const uint64_t sessions[] = { 2, 3, 1, 2 };
	enum { HOLDERS = 2, WAITERS = 4, ALL = HOLDERS + WAITERS };
	struct atmost *pool = open_group(0, 0, ALL);
	struct atmost_seat seat[ALL];
	struct worker a[ALL];

	(void)state;
	start_all(a, ALL);
	for (unsigned i = 0; i < HOLDERS; i++)
		assert_int_equal(i, worker_do(&a[i], ENTER));
	/* The member that joined last asks first, so the order of arrival is
	 * not the order of the ids. */
	for (unsigned i = 0; i < WAITERS; i++) {
		worker_ask(&a[ALL - 1 - i], requests[i]);
		await_waiters(pool, i + 1);
	}
	assert_int_equal(ALL, atmost_status(pool, seat, ALL, NULL));
	for (unsigned i = 0; i < HOLDERS; i++) {
		assert_int_equal(i, seat[i].slot);
		assert_int_equal(0, seat[i].position);
		assert_int_equal(1, seat[i].session);
		assert_int_equal(a[i].pid, seat[i].pid);
	}
	for (unsigned i = 0; i < WAITERS; i++) {
		assert_int_equal(-1, seat[HOLDERS + i].slot);
		assert_int_equal(i + 1, seat[HOLDERS + i].position);
		assert_true(seat[HOLDERS + i].session == sessions[i]);
		assert_int_equal(a[ALL - 1 - i].pid, seat[HOLDERS + i].pid);
	}
	kill_all(a, ALL);
	atmost_close(pool);
}

/* No process but the waiter can notice the deaths. */
static void a_killed_holder_lets_another_session_in(void **state)
{
	struct atmost *pool = open_group(0, 0, 4);
	struct worker a[3];

	(void)state;
	start_all(a, 3);
	assert_int_equal(0, worker_do(&a[0], ENTER));
	assert_int_equal(1, worker_do(&a[1], ENTER));
	worker_ask(&a[2], ENTER_2);
	await_waiters(pool, 1);
	worker_kill(&a[1]);
	await_sleep(&a[2]);
	worker_kill(&a[0]);
	assert_int_equal(slot(2, 0), worker_answer(&a[2]));
	assert_int_equal(2, totals_of(pool).recovered);
	assert_int_equal(1, totals_of(pool).holders);
	assert_int_equal(0, totals_of(pool).lost);
	worker_kill(&a[2]);
	atmost_close(pool);
}

/* There are more holders than a waiter can watch, and only one holder dies. */
static void the_death_of_any_of_fifty_holders_is_noticed(void **state)
{
	enum { INSIDE = 50 };
	struct atmost *pool = open_group(0, 0, INSIDE + 1);
	struct worker a[INSIDE + 1];

	(void)state;
	start_all(a, INSIDE + 1);
	for (unsigned last = 0; last < INSIDE; last += INSIDE - 1) {
		for (unsigned i = 0; i < INSIDE; i++)
			assert_true(worker_do(&a[i], ENTER) >= 0);
		worker_ask(&a[INSIDE], ENTER_2);
		await_waiters(pool, 1);
		await_sleep(&a[INSIDE]);
		for (unsigned i = 0; i < INSIDE; i++)
			if (i != last)
				assert_int_equal(0, worker_do(&a[i], LEAVE));
		worker_kill(&a[last]);
		assert_int_equal(slot(INSIDE, 0), worker_answer(&a[INSIDE]));
		assert_int_equal(0, worker_do(&a[INSIDE], LEAVE));
		a[last] = worker_start("pool");
	}
	kill_all(a, INSIDE + 1);
	atmost_close(pool);
}

/* The holders that die have entered while the last waiter slept. */
static void the_deaths_of_holders_that_entered_together_are_noticed(
	void **state)
{
	enum { TOGETHER = 3 };
	struct atmost *pool = open_group(0, 0, TOGETHER + 2);
	struct worker a[TOGETHER + 2];

	(void)state;
	start_all(a, TOGETHER + 2);
	assert_int_equal(0, worker_do(&a[0], ENTER));
	for (unsigned i = 1; i <= TOGETHER; i++) {
		worker_ask(&a[i], ENTER_2);
		await_waiters(pool, i);
	}
	worker_ask(&a[TOGETHER + 1], ENTER_3);
	await_waiters(pool, TOGETHER + 1);
	await_sleep(&a[TOGETHER + 1]);
	assert_int_equal(0, worker_do(&a[0], LEAVE));
	for (unsigned i = 1; i <= TOGETHER; i++)
		assert_true(worker_answer(&a[i]) >= 0);
	for (unsigned i = 1; i <= TOGETHER; i++)
		worker_kill(&a[i]);
	assert_int_equal(slot(TOGETHER + 1, 0),
			 worker_answer(&a[TOGETHER + 1]));
	assert_int_equal(TOGETHER, totals_of(pool).recovered);
	worker_kill(&a[0]);
	worker_kill(&a[TOGETHER + 1]);
	atmost_close(pool);
}

static void a_killed_waiter_does_not_block_the_waiters_behind_it(void **state)
{
	struct atmost *pool = open_group(0, 0, 4);
	struct worker a[3];

	(void)state;
	start_all(a, 3);
	assert_int_equal(0, worker_do(&a[0], ENTER));
	worker_ask(&a[1], ENTER_2);
	await_waiters(pool, 1);
	worker_ask(&a[2], ENTER);
	await_waiters(pool, 2);
	/* No process but the waiter behind worker 1 can notice the death. */
	worker_kill(&a[1]);
	assert_int_equal(slot(2, 1), worker_answer(&a[2]));
	assert_int_equal(1, totals_of(pool).recovered);
	worker_kill(&a[0]);
	worker_kill(&a[2]);
	atmost_close(pool);
}

static void a_waiter_that_gives_up_does_not_block_the_waiters_behind_it(
	void **state)
{
	struct atmost *pool = open_group(0, 0, 4);
	struct worker a[3];

	(void)state;
	start_all(a, 3);
	assert_int_equal(0, worker_do(&a[0], ENTER_2));
	worker_ask(&a[1], WAIT_5_S); /* session 1 */
	await_waiters(pool, 1);
	worker_ask(&a[2], ENTER_2);
	await_waiters(pool, 2);
	assert_int_equal(ATMOST_ETIMEDOUT, worker_answer(&a[1]));
	assert_int_equal(slot(2, 1), worker_answer(&a[2]));
	kill_all(a, 3);
	atmost_close(pool);
}

static void a_stopped_holder_keeps_other_sessions_out(void **state)
{
	struct atmost *pool = open_group(0, 0, 4);
	struct worker a[2];
	int status;

	(void)state;
	start_all(a, 2);
	assert_int_equal(0, worker_do(&a[0], ENTER_2));
	assert_int_equal(0, kill(a[0].pid, SIGSTOP));
	assert_int_equal(a[0].pid, waitpid(a[0].pid, &status, WUNTRACED));
	assert_int_equal(ATMOST_ETIMEDOUT, worker_do(&a[1], WAIT_300_MS));
	assert_int_equal(1, worker_do(&a[1], TRY_2));
	assert_int_equal(0, totals_of(pool).recovered);
	kill_all(a, 2);
	atmost_close(pool);
}

static void growing_lets_in_waiters_of_the_session_inside(void **state)
{
	enum { MOST = 5 };
	struct atmost *pool = open_group(1, MOST, MOST + 1);
	struct worker a[MOST + 1];

	(void)state;
	start_all(a, MOST + 1);
	assert_int_equal(0, worker_do(&a[0], ENTER));
	for (unsigned i = 1; i < MOST; i++) {
		worker_ask(&a[i], i < MOST - 1 ? ENTER : ENTER_2);
		await_waiters(pool, i);
	}
	for (unsigned k = 2; k < MOST; k++) {
		assert_int_equal(0, atmost_resize(pool, k));
		assert_int_equal(k - 1, worker_answer(&a[k - 1]));
		assert_int_equal(k, totals_of(pool).k);
	}
	/* The last waiter has another session: a larger k does not let it
	 * in. */
	assert_int_equal(0, atmost_resize(pool, MOST));
	assert_int_equal(1, totals_of(pool).waiters);
	kill_all(a, MOST - 1);
	assert_int_equal(0, worker_answer(&a[MOST - 1]));
	worker_kill(&a[MOST - 1]);
	worker_kill(&a[MOST]);
	atmost_close(pool);
}

static void shrinking_evicts_no_holder(void **state)
{
	struct atmost *pool = open_group(3, 3, 4);
	struct atmost_member *member[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		member[i] = join(pool);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(i, atmost_enter(member[i], NULL));
	assert_int_equal(0, atmost_resize(pool, 1));
	assert_int_equal(3, totals_of(pool).holders);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(ATMOST_EBUSY, atmost_enter(member[3], &try));
		assert_int_equal(0, atmost_leave(member[i]));
	}
	assert_int_equal(0, atmost_enter(member[3], &try));
	assert_int_equal(ATMOST_EBUSY, atmost_enter(member[0], &try));
	atmost_close(pool);
}

static void a_limit_can_be_set_and_removed(void **state)
{
	enum { ALL = 5 };
	struct atmost *pool = open_group(0, 0, ALL);
	struct atmost_shape shape;
	struct worker a[ALL];

	(void)state;
	assert_int_equal(0, atmost_resize(pool, 2));
	start_all(a, ALL);
	for (unsigned i = 0; i < ALL; i++) {
		worker_ask(&a[i], ENTER);
		if (i < 2)
			assert_int_equal(i, worker_answer(&a[i]));
		else
			await_waiters(pool, i - 1);
	}
	assert_int_equal(2, totals_of(pool).k);
	assert_int_equal(0, atmost_resize(pool, 0));
	for (unsigned i = 2; i < ALL; i++)
		assert_int_equal(i, worker_answer(&a[i]));
	assert_int_equal(0, atmost_inspect(pool, &shape));
	assert_int_equal(0, shape.k);
	assert_int_equal(ALL, shape.k_max);
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, ALL + 1));
	expect_detail("between 0 (no limit) and 5");
	kill_all(a, ALL);
	atmost_close(pool);
}

/* hall has no limit, so a pool without k and k_max cannot get one. */
static void a_pool_of_hall_has_no_limit(void **state)
{
	struct atmost *pool = open_group(0, 0, 5);
	struct atmost_shape shape;

	(void)state;
	assert_int_equal(0, atmost_inspect(pool, &shape));
	assert_string_equal("hall", shape.algorithm);
	assert_int_equal(0, shape.k);
	assert_int_equal(ATMOST_ENOTRESIZABLE, atmost_resize(pool, 2));
	expect_detail("hall has no limit; make the pool anew with a k or a "
		      "k_max to have one");
	atmost_close(pool);
}

static void a_pool_without_slots_for_all_members_always_has_a_limit(
	void **state)
{
	struct atmost *pool = open_group(2, 4, 5);

	(void)state;
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, 0));
	expect_detail("between 1 and 4");
	assert_int_equal(ATMOST_ESHAPE, atmost_resize(pool, 5));
	assert_int_equal(2, totals_of(pool).k);
	assert_int_equal(0, atmost_resize(pool, 4));
	atmost_close(pool);
}

static void the_resize_of_a_dead_member_is_finished_by_the_next_caller(
	void **state)
{
	struct atmost *pool = open_group(3, 0, 3);
	struct atmost_member *a = join(pool), *b = join(pool);

	(void)state;
	for (unsigned k = 0; k <= 3; k++) {
		file_leave_resizing("pool", k);
		/* atmost_status finishes the resize. */
		assert_int_equal(k, totals_of(pool).k);
		assert_int_equal(0, atmost_enter(a, &try));
		assert_int_equal(k == 1 ? ATMOST_EBUSY : 1,
				 atmost_enter(b, &try));
		assert_int_equal(0, atmost_leave(a));
		if (k != 1)
			assert_int_equal(0, atmost_leave(b));
	}
	atmost_close(pool);
}

#define TESTS_WITHOUT_LIMIT                                                           \
	TEST_IN_FOLDER(a_member_behind_another_session_waits),                        \
		TEST_IN_FOLDER(waiters_of_one_session_enter_together),                \
		TEST_IN_FOLDER(status_shows_sessions_slots_and_the_order),            \
		TEST_IN_FOLDER(a_killed_holder_lets_another_session_in),              \
		TEST_IN_FOLDER(the_death_of_any_of_fifty_holders_is_noticed),         \
		TEST_IN_FOLDER(                                                       \
			the_deaths_of_holders_that_entered_together_are_noticed),     \
		TEST_IN_FOLDER(                                                       \
			a_killed_waiter_does_not_block_the_waiters_behind_it),        \
		TEST_IN_FOLDER(                                                       \
			a_waiter_that_gives_up_does_not_block_the_waiters_behind_it), \
		TEST_IN_FOLDER(a_stopped_holder_keeps_other_sessions_out)

int main(void)
{
	const struct CMUnitTest with_hall[] = {
		TESTS_WITHOUT_LIMIT,
		TEST_IN_FOLDER(a_pool_of_hall_has_no_limit),
	};
	const struct CMUnitTest with_room[] = {
		TESTS_WITHOUT_LIMIT,
		TEST_IN_FOLDER(growing_lets_in_waiters_of_the_session_inside),
		TEST_IN_FOLDER(shrinking_evicts_no_holder),
		TEST_IN_FOLDER(a_limit_can_be_set_and_removed),
		TEST_IN_FOLDER(
			a_pool_without_slots_for_all_members_always_has_a_limit),
		TEST_IN_FOLDER(
			the_resize_of_a_dead_member_is_finished_by_the_next_caller),
	};
	int failed = cmocka_run_group_tests(with_hall, NULL, NULL);

	return failed + cmocka_run_group_tests(with_room, use_room, NULL);
}
