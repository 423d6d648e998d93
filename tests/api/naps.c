/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how long the waiters of a queue nap. */
#include "waiting.h"

#include "common/clock.h"

#include <stdlib.h>

struct sleeps {
	long of[WAITING_MOST];
	int64_t time; /* ns */
};

/*
 * Counts the sleeps of each waiter while the first waiter sleeps `count` times.
 */
static struct sleeps count_sleeps(const struct queue *q, long count)
{
	struct sleeps sleeps = { .time = clock_nanoseconds() };

	for (unsigned i = 0; i < q->waits; i++)
		sleeps.of[i] = -count_switches(&q->waiter[i]);
	await_switches(&q->waiter[0], count - sleeps.of[0]);
	for (unsigned i = 0; i < q->waits; i++)
		sleeps.of[i] += count_switches(&q->waiter[i]);
	sleeps.time = clock_nanoseconds() - sleeps.time;
	return sleeps;
}

/*
 * The naps of the p-th waiter grow up to p^2/2 times nap_most.  The limit
 * allows for one more nap, because the time may begin in the middle of a nap;
 * for the shorter naps before the first nap of full length; and for nine other
 * sleeps, for example after page faults.
 */
static void expect_policy(const struct sleeps *sleeps, unsigned from,
			  unsigned to)
{
	for (unsigned p = from; p <= to; p++) {
		const int64_t nap = (p > 1 ? p * p / 2 : 1) *
				    wait_policy.nap_most;
		long most = (long)(sleeps->time / nap) + 10;

		for (int64_t n = wait_policy.nap; n < nap; n *= 2)
			most++;
		print_message("position %2u: %3ld sleeps, at most %ld\n", p,
			      sleeps->of[p - 1], most);
		assert_true(sleeps->of[p - 1] <= most);
	}
}

/*
 * Every other waiter has an interrupt, as the waiters of the command have.  Its
 * process has only one thread, so only a signal handler can set the interrupt,
 * and the naps can grow.
 */
static void naps_grow_with_the_position(void **state)
{
	static const char *const algorithms[] = { "roster", "room", "hall" };

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(10 * MS, 10 * MS);
	for (unsigned a = 0; a < 3; a++) {
		struct queue q = make_queue(algorithms[a], 1, 1);
		struct sleeps sleeps;

		while (q.waits < WAITING_MOST)
			add_waiter(&q, q.waits % 2 ? ENTER : INTERRUPTIBLE);
		await_queue(&q);
		sleeps = count_sleeps(&q, 100);
		expect_policy(&sleeps, 1, WAITING_MOST);
		end_queue(&q);
	}
}

/*
 * The holder has executed another program, so only its process shows whether
 * the holder lives.
 */
static void naps_grow_beside_an_entrusted_holder(void **state)
{
	struct sleeps sleeps;
	struct queue q;

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(MS, 50 * MS);
	q = make_queue("roster", 1, 1);
	worker_ask(&q.holder[0], BECOME);
	await_program(&q.holder[0]);
	while (q.waits < WAITING_MOST)
		add_waiter(&q, ENTER);
	await_queue(&q);
	sleeps = count_sleeps(&q, 20);
	/*
	 * The naps of the second waiter are no longer than those of the first:
	 * a sleep that watches a process cannot also watch the first waiter.
	 */
	print_message("second: %ld sleeps\n", sleeps.of[1]);
	assert_true(sleeps.of[1] <= sleeps.time / wait_policy.nap_most + 8);
	expect_policy(&sleeps, 1, 1);
	expect_policy(&sleeps, 3, WAITING_MOST);
	kill_one(&q.holder[0]);
	assert_int_equal(0, worker_answer(&q.waiter[0]));
	end_queue(&q);
}

/*
 * The second waiter is not checked: it wakes often, because no announcement
 * would tell it of the death of the first waiter.
 */
static void naps_grow_behind_waiters_without_robust_lists(void **state)
{
	struct sleeps sleeps;
	struct queue q;

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(MS, 100 * MS);
	q = make_queue("roster", 1, 1);
	while (q.waits < WAITING_MOST)
		add_unannounced(&q, true);
	await_queue(&q);
	sleeps = count_sleeps(&q, 15);
	expect_policy(&sleeps, 3, WAITING_MOST);
	end_queue(&q);
}

/*
 * Returns how often the last of several waiters sleeps while the first waiter
 * sleeps 100 times.
 */
static long sleeps_of_last(struct queue *q, enum request last)
{
	struct sleeps sleeps;

	while (q->waits < WAITING_MOST - 1)
		add_waiter(q, ENTER);
	add_waiter(q, last);
	await_switches(&q->waiter[WAITING_MOST - 1],
		       count_switches(&q->waiter[WAITING_MOST - 1]) + 3);
	sleeps = count_sleeps(q, 100);
	print_message("%ld sleeps\n", sleeps.of[WAITING_MOST - 1]);
	return sleeps.of[WAITING_MOST - 1];
}

static void naps_do_not_grow_if_waiters_cannot_watch(void **state)
{
	struct queue q;

	(void)state;
	nap_for(10 * MS, 10 * MS);
	wait_policy.vector = false;
	q = make_queue("roster", 1, 1);
	assert_true(sleeps_of_last(&q, ENTER) > 100 / 4);
	end_queue(&q);
}

/* A sleep can watch at most 32 futexes. */
static void naps_do_not_grow_if_the_head_cannot_watch_all_holders(void **state)
{
	struct atmost_member *holder[31];
	struct queue q;

	(void)state;
	nap_for(10 * MS, 10 * MS);
	q = make_queue("roster", 31, 0);
	for (unsigned i = 0; i < 31; i++) {
		holder[i] = join(q.pool);
		assert_true(atmost_enter(holder[i], NULL) >= 0);
	}
	assert_true(sleeps_of_last(&q, ENTER) > 100 / 4);
	end_queue(&q);
}

static void naps_do_not_grow_if_another_thread_may_interrupt(void **state)
{
	struct queue q;

	(void)state;
	nap_for(10 * MS, 10 * MS);
	q = make_queue("roster", 1, 1);
	assert_true(sleeps_of_last(&q, INTERRUPTED) > 100 / 4);
	worker_ask(&q.waiter[WAITING_MOST - 1], END);
	assert_int_equal(ATMOST_EINTERRUPTED,
			 worker_answer(&q.waiter[WAITING_MOST - 1]));
	end_queue(&q);
}

/*
 * Clears the flags that sleepers have set, so that no process wakes the
 * sleepers.  Returns in how many words a flag was set.
 */
static unsigned forget_sleepers(struct queue *q)
{
	struct word *words = pool_words(q->pool);
	unsigned count = 0;

	for (size_t i = 0; i < q->pool->layout.word_count; i++)
		if (words[i].gate & GATE_FLAGS) {
			words[i].gate &= ~(uint32_t)GATE_FLAGS;
			count++;
		}
	for (unsigned id = 0; id < pool_used(q->pool); id++)
		pool_record(q->pool, id)->turn.gate &= ~(uint32_t)GATE_FLAGS;
	return count;
}

static void a_wake_that_is_never_sent_is_only_a_delay(void **state)
{
	struct queue q;

	(void)state;
	nap_for(300 * MS, 300 * MS);
	q = make_queue("roster", 1, 1);
	for (unsigned i = 0; i < 3; i++)
		add_waiter(&q, ENTER);
	for (unsigned i = 0; i < 3; i++)
		await_switches(&q.waiter[i], count_switches(&q.waiter[i]) + 2);
	assert_int_equal(3, forget_sleepers(&q));
	assert_int_equal(0, atmost_resize(q.pool, 4));
	for (unsigned i = 0; i < 3; i++)
		assert_true(worker_answer(&q.waiter[i]) > 0);
	end_queue(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WAITING_TEST(naps_grow_with_the_position),
		WAITING_TEST(naps_grow_beside_an_entrusted_holder),
		WAITING_TEST(naps_grow_behind_waiters_without_robust_lists),
		WAITING_TEST(naps_do_not_grow_if_waiters_cannot_watch),
		WAITING_TEST(
			naps_do_not_grow_if_the_head_cannot_watch_all_holders),
		WAITING_TEST(naps_do_not_grow_if_another_thread_may_interrupt),
		WAITING_TEST(a_wake_that_is_never_sent_is_only_a_delay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
