/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how atmost_status shows holders and waiters. */
#include "common/clock.h"
#include "workers.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static double seconds(struct timespec t)
{
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void holders_are_ordered_by_slot_and_waiters_by_arrival(void **state)
{
	enum { K = 3, WAITERS = 10, ALL = K + WAITERS };
	struct atmost *pool = open_pool("pool", "roster", K, ALL);
	struct worker worker[ALL];
	struct atmost_seat seat[ALL + 1];
	double begin = clock_seconds(), last = 0;

	(void)state;
	for (unsigned i = 0; i < ALL; i++)
		worker[i] = worker_start("pool");
	for (unsigned i = 0; i < K; i++)
		assert_int_equal(i, worker_do(&worker[i], ENTER));
	/* The member that joined last asks first, so the order of arrival is
	 * not the order of the ids. */
	for (unsigned i = 0; i < WAITERS; i++) {
		worker_ask(&worker[ALL - 1 - i], ENTER);
		await_waiters(pool, i + 1);
	}
	assert_int_equal(ALL, atmost_status(pool, seat, ALL + 1, NULL));
	for (unsigned i = 0; i < ALL; i++) {
		bool inside = i < K;
		unsigned who = inside ? i : ALL - 1 - (i - K);

		assert_int_equal(inside ? (int)i : -1, seat[i].slot);
		assert_int_equal(inside ? 0 : i - K + 1, seat[i].position);
		assert_int_equal(worker[who].pid, seat[i].pid);
		assert_int_equal(0, seat[i].session);
		assert_string_equal("api-status", seat[i].command);
		assert_true(seconds(seat[i].since) > begin - 0.01);
		assert_true(seconds(seat[i].since) <= clock_seconds());
		if (i > K)
			assert_true(seconds(seat[i].since) >= last);
		last = seconds(seat[i].since);
	}
	for (unsigned i = 0; i < ALL; i++)
		worker_kill(&worker[i]);
	atmost_close(pool);
}

/* If the algorithm has no queue, status orders waiters by their times of
 * arrival.  The waiters arrive some milliseconds apart, so that these times
 * differ. */
static void without_a_queue_waiters_are_ordered_by_their_time_of_arrival(
	void **state)
{
	enum { WAITERS = 5, ALL = WAITERS + 1 };
	struct atmost *pool = open_pool("pool", "k-bakery", 1, ALL);
	struct worker worker[ALL];
	struct atmost_seat seat[ALL];

	(void)state;
	for (unsigned i = 0; i < ALL; i++)
		worker[i] = worker_start("pool");
	assert_int_equal(0, worker_do(&worker[0], ENTER));
	for (unsigned i = 0; i < WAITERS; i++) {
		worker_ask(&worker[WAITERS - i], ENTER);
		await_waiters(pool, i + 1);
		usleep(3000);
	}
	assert_int_equal(ALL, atmost_status(pool, seat, ALL, NULL));
	assert_int_equal(worker[0].pid, seat[0].pid);
	for (unsigned i = 0; i < WAITERS; i++) {
		assert_int_equal(worker[WAITERS - i].pid, seat[i + 1].pid);
		assert_int_equal(i + 1, seat[i + 1].position);
	}
	for (unsigned i = 0; i < ALL; i++)
		worker_kill(&worker[i]);
	atmost_close(pool);
}

static void the_seat_of_a_member_does_not_change_while_it_stays(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct worker holder = worker_start("pool"),
		      waiter = worker_start("pool");
	struct atmost_seat first[2], later[2];

	(void)state;
	assert_int_equal(0, worker_do(&holder, ENTER));
	worker_ask(&waiter, ENTER);
	await_waiters(pool, 1);
	assert_int_equal(2, atmost_status(pool, first, 2, NULL));
	usleep(20000);
	assert_int_equal(2, atmost_status(pool, later, 2, NULL));
	assert_memory_equal(first, later, sizeof first);
	assert_int_equal(0, worker_do(&holder, LEAVE));
	assert_int_equal(0, worker_answer(&waiter));
	assert_int_equal(1, atmost_status(pool, later, 2, NULL));
	assert_int_equal(waiter.pid, later[0].pid);
	assert_int_equal(0, later[0].position);
	/* `since` is the time when the member entered, not the time when it
	 * arrived. */
	assert_true(seconds(later[0].since) > seconds(first[1].since));
	worker_kill(&holder);
	worker_kill(&waiter);
	atmost_close(pool);
}

static void a_short_array_gets_the_first_seats(void **state)
{
	enum { K = 4, UNTOUCHED = 0x5a };
	struct atmost *pool = make("roster", K, 8);
	struct atmost_seat seat[K], untouched;
	struct atmost_totals totals;

	(void)state;
	memset(&untouched, UNTOUCHED, sizeof untouched);
	assert_int_equal(0, atmost_status(pool, NULL, 0, NULL));
	for (unsigned i = 0; i < K; i++)
		assert_int_equal(i, atmost_enter(join(pool), NULL));
	for (unsigned capacity = 0; capacity <= K; capacity++) {
		memset(seat, UNTOUCHED, sizeof seat);
		assert_int_equal(K,
				 atmost_status(pool, seat, capacity, &totals));
		assert_int_equal(K, totals.holders);
		assert_int_equal(K, totals.members);
		assert_int_equal(0, totals.waiters);
		for (unsigned i = 0; i < K; i++)
			if (i < capacity)
				assert_int_equal(i, seat[i].slot);
			else
				assert_memory_equal(&untouched, &seat[i],
						    sizeof untouched);
	}
	assert_int_equal(K, atmost_status(pool, NULL, 99, &totals));
	assert_int_equal(K, totals.k);
	atmost_close(pool);
}

static void the_seats_of_a_group_show_their_session(void **state)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_GROUP,
		.members = 4,
		.sessions = 9,
	};
	struct atmost_want want = { .session = 7 };
	struct atmost *pool;
	struct atmost_seat seat[4];

	(void)state;
	assert_int_equal(0, atmost_create(&pool, &shape));
	assert_true(atmost_enter(join(pool), &want) >= 0);
	assert_true(atmost_enter(join(pool), &want) >= 0);
	assert_int_equal(2, atmost_status(pool, seat, 4, NULL));
	assert_int_equal(7, seat[0].session);
	assert_int_equal(7, seat[1].session);
	assert_int_equal(getpid(), seat[0].pid);
	atmost_close(pool);
}

/* Threads that enter and leave while the test asks for the status. */
struct traffic {
	struct atmost *pool;
	atomic_bool end;
};

static void *enter_and_leave(void *argument)
{
	struct traffic *b = argument;
	struct atmost_member *me;

	if (atmost_join(b->pool, &me) < 0)
		abort();
	for (unsigned i = 0; !b->end; i++) {
		int slot = atmost_enter(me, i % 3 ? NULL : &try);

		if (slot >= 0 && atmost_leave(me) < 0)
			abort();
		if (slot < 0 && slot != ATMOST_EBUSY)
			abort();
	}
	return NULL;
}

/* k = 0: the pool has no limit. */
static void check(struct atmost *pool, unsigned k, bool slots)
{
	const int last = k ? (int)k - 1 : 7;
	enum { ROOM = 16 };
	struct atmost_seat seat[ROOM];
	struct atmost_totals totals;
	int count = atmost_status(pool, seat, ROOM, &totals);
	unsigned holders = 0, waiters = 0, taken = 0;

	assert_in_range(count, 0, 8);
	for (int i = 0; i < count; i++) {
		assert_int_equal(getpid(), seat[i].pid);
		assert_string_equal("api-status", seat[i].command);
		assert_true(seconds(seat[i].since) <= clock_seconds() + 0.01);
		if (seat[i].slot < 0) {
			assert_int_equal(-1, seat[i].slot);
			assert_int_equal(++waiters, seat[i].position);
			continue;
		}
		assert_int_equal(0, waiters); /* holders come first */
		assert_int_equal(0, seat[i].position);
		assert_in_range(seat[i].slot, 0, last);
		assert_false(slots && taken >> seat[i].slot & 1);
		taken |= 1u << seat[i].slot;
		holders++;
	}
	assert_int_equal(holders, totals.holders);
	assert_int_equal(waiters, totals.waiters);
	assert_int_equal(0, totals.recovered);
	assert_int_equal(0, totals.lost);
	assert_int_equal(k, totals.k);
	if (slots && k)
		assert_in_range(holders, 0, k);
}

static void status_is_consistent_while_members_enter_and_leave(void **state)
{
	static const char *const names[] = { "roster", "room", "hall",
					     "k-bakery" };
	enum { THREADS = 8, K = 3 };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct traffic b = { .pool = make(names[i], K, THREADS) };
		pthread_t thread[THREADS];
		double end = clock_seconds() + 1;

		for (unsigned t = 0; t < THREADS; t++)
			assert_int_equal(0,
					 pthread_create(&thread[t], NULL,
							enter_and_leave, &b));
		while (clock_seconds() < end)
			check(b.pool, is_hall(names[i]) ? 0 : K, i < 3);
		b.end = true;
		for (unsigned t = 0; t < THREADS; t++)
			pthread_join(thread[t], NULL);
		assert_int_equal(0, atmost_status(b.pool, NULL, 0, NULL));
		atmost_close(b.pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(
			holders_are_ordered_by_slot_and_waiters_by_arrival),
		TEST_IN_FOLDER(
			without_a_queue_waiters_are_ordered_by_their_time_of_arrival),
		TEST_IN_FOLDER(
			the_seat_of_a_member_does_not_change_while_it_stays),
		TEST_IN_FOLDER(a_short_array_gets_the_first_seats),
		TEST_IN_FOLDER(the_seats_of_a_group_show_their_session),
		TEST_IN_FOLDER(
			status_is_consistent_while_members_enter_and_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
