/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests which waiters of a queue notice that the queue moves, or that a member
 * is dead.  In tests whose naps last an hour, a waiter goes on only when
 * another process or the kernel wakes it.
 */
#include "waiting.h"

#include "runtime/machine.h"

#include <signal.h>
#include <unistd.h>

/* The holders leave, and the first waiters enter. */
static void move_on(struct queue *q)
{
	for (unsigned i = 0; i < q->held; i++) {
		assert_int_equal(0, worker_do(&q->holder[i], LEAVE));
		assert_true(worker_answer(&q->waiter[i]) >= 0);
	}
}

/*
 * The first waiter enters and dies.  Until then the third waiter has never seen
 * it inside.
 */
static void a_waiter_that_reaches_the_head_watches_all_holders(void **state)
{
	static const char *const algorithms[] = { "roster", "room" };

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	for (unsigned a = 0; a < 2; a++) {
		struct queue q = make_queue(algorithms[a], 2, 2);

		for (unsigned i = 0; i < 3; i++)
			add_waiter(&q, ENTER);
		await_queue(&q);
		move_on(&q);
		kill_one(&q.waiter[0]);
		assert_true(worker_answer(&q.waiter[2]) >= 0);
		end_queue(&q);
	}
}

/* The waiters of session 2 enter together, and all of them die inside. */
static void the_waiter_behind_a_session_watches_all_its_members(void **state)
{
	static const char *const algorithms[] = { "room", "hall" };

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	for (unsigned a = 0; a < 2; a++) {
		struct queue q = make_queue(algorithms[a], 5, 1);

		for (unsigned i = 0; i < 5; i++)
			add_waiter(&q, ENTER_2);
		add_waiter(&q, ENTER_3);
		await_queue(&q);
		assert_int_equal(0, worker_do(&q.holder[0], LEAVE));
		for (unsigned i = 0; i < 5; i++)
			assert_true(worker_answer(&q.waiter[i]) >= 0);
		for (unsigned i = 0; i < 5; i++)
			kill_one(&q.waiter[i]);
		assert_true(worker_answer(&q.waiter[5]) >= 0);
		end_queue(&q);
	}
}

static void a_waiter_that_enters_wakes_the_two_behind_it(void **state)
{
	struct queue q;
	long before[4];

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	q = make_queue("roster", 1, 1);
	for (unsigned i = 0; i < 4; i++)
		add_waiter(&q, ENTER);
	await_queue(&q);
	for (unsigned i = 0; i < 4; i++)
		before[i] = count_switches(&q.waiter[i]);
	move_on(&q);
	await_switches(&q.waiter[1], before[1] + 1);
	await_switches(&q.waiter[2], before[2] + 1);
	assert_int_equal(before[3], count_switches(&q.waiter[3]));
	end_queue(&q);
}

static void a_waiter_that_gives_up_wakes_the_one_behind_it(void **state)
{
	struct queue q;
	long before;

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	q = make_queue("roster", 1, 1);
	add_waiter(&q, INTERRUPTIBLE);
	add_waiter(&q, ENTER);
	await_queue(&q);
	await_sleep(&q.waiter[0]);
	before = count_switches(&q.waiter[1]);
	kill(q.waiter[0].pid, SIGUSR1);
	assert_int_equal(ATMOST_EINTERRUPTED, worker_answer(&q.waiter[0]));
	await_switches(&q.waiter[1], before + 1);
	end_queue(&q);
}

/* The kernel wakes one of the two waiters, and the recoverer wakes both. */
static void a_killed_waiter_wakes_the_two_behind_it(void **state)
{
	struct queue q;
	long before[3];

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	q = make_queue("roster", 1, 1);
	for (unsigned i = 0; i < 3; i++)
		add_waiter(&q, ENTER);
	await_queue(&q);
	for (unsigned i = 1; i < 3; i++)
		before[i] = count_switches(&q.waiter[i]);
	kill_one(&q.waiter[0]);
	await_switches(&q.waiter[1], before[1] + 1);
	await_switches(&q.waiter[2], before[2] + 1);
	end_queue(&q);
}

/* The waiter behind the dead waiter does not notice the death itself. */
static void a_recoverer_wakes_the_waiter_behind_the_dead_one(void **state)
{
	struct queue q;
	long before;

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	q = make_queue("roster", 1, 1);
	add_waiter(&q, ENTER);
	add_unannounced(&q, false);
	add_waiter(&q, ENTER);
	await_queue(&q);
	before = count_switches(&q.waiter[2]);
	kill_one(&q.waiter[1]);
	assert_int_equal(before, count_switches(&q.waiter[2]));
	assert_int_equal(1, totals_of(q.pool).recovered);
	await_switches(&q.waiter[2], before + 1);
	end_queue(&q);
}

/* Makes the process sleep again, as the last of all processes that sleep. */
static void sleep_last(const struct worker *worker)
{
	kill(worker->pid, SIGSTOP);
	kill(worker->pid, SIGCONT);
	await_sleep(worker);
}

/*
 * When the thread of the holder ends, the kernel wakes one sleeper: the waiter
 * that has slept longest.  Here this is the third waiter of the queue, in its
 * first sleep.  The holder is entrusted and lives on.
 */
static void the_head_learns_of_a_thread_that_has_ended(void **state)
{
	struct queue q;
	pid_t trustee;

	(void)state;
	if (!waiters_watch())
		return;
	nap_for(HOUR, HOUR);
	q = make_queue("roster", 1, 1);
	trustee = worker_do(&q.holder[0], TRUST);
	assert_true(trustee > 0);
	add_waiter(&q, ENTER);
	add_waiter(&q, ENTER);
	await_queue(&q);
	wait_policy.unwatched = HOUR;
	add_waiter(&q, ENTER);
	await_sleep(&q.waiter[2]);
	sleep_last(&q.waiter[0]);
	sleep_last(&q.waiter[1]);
	kill_one(&q.holder[0]);
	await_follower(&q, &q.waiter[1], &q.waiter[2]);
	assert_int_equal(0, kill(trustee, SIGKILL));
	assert_int_equal(0, worker_answer(&q.waiter[0]));
	end_queue(&q);
}

/* No process but the second waiter can notice the deaths. */
static void a_stopped_first_waiter_does_not_hide_deaths(void **state)
{
	struct queue q;

	(void)state;
	nap_for(100 * MS, 100 * MS);
	q = make_queue("roster", 2, 2);
	add_waiter(&q, ENTER);
	add_waiter(&q, ENTER);
	await_switches(&q.waiter[1], count_switches(&q.waiter[1]) + 3);
	kill(q.waiter[0].pid, SIGSTOP);
	kill_one(&q.holder[0]);
	kill_one(&q.holder[1]);
	assert_true(worker_answer(&q.waiter[1]) >= 0);
	kill(q.waiter[0].pid, SIGCONT);
	assert_true(worker_answer(&q.waiter[0]) >= 0);
	end_queue(&q);
}

/*
 * The dead member is the last waiter of the queue.  Only the first waiter can
 * find the dead waiter; if the first waiter is stopped, only the second waiter
 * can.
 */
static void waiters_find_a_dead_waiter_that_is_not_announced(void **state)
{
	(void)state;
	if (!waiters_watch())
		return;
	nap_for(50 * MS, 50 * MS);
	for (unsigned stopped = 0; stopped < 2; stopped++) {
		struct queue q = make_queue("roster", 1, 1);
		struct record *dead;

		for (unsigned i = 0; i <= stopped; i++)
			add_waiter(&q, ENTER);
		add_unannounced(&q, false);
		await_queue(&q);
		dead = record_of(&q, &q.waiter[q.waits - 1]);
		if (stopped)
			kill(q.waiter[0].pid, SIGSTOP);
		kill_one(&q.waiter[q.waits - 1]);
		while (mem_read(&dead->state) & STATE_JOINED)
			usleep(1000);
		end_queue(&q);
	}
}

/*
 * The next sweep of all members is 2.6 s away, so the waiter must look at the
 * holder itself.  After the nap in which the holder dies, the waiter may sleep
 * once more during the recovery, and it sleeps again when it reads its next
 * request.
 */
static void the_first_waiter_looks_at_the_holders_after_each_nap(void **state)
{
	struct queue q;
	long before;

	(void)state;
	nap_for(100 * MS, 100 * MS);
	q = make_queue("roster", 1, 1);
	assert_int_equal(0, worker_do(&q.holder[0], UNANNOUNCED));
	add_waiter(&q, ENTER);
	await_switches(&q.waiter[0], count_switches(&q.waiter[0]) + 3);
	mem_write(&q.pool->header->looked, machine_clock());
	before = count_switches(&q.waiter[0]);
	kill_one(&q.holder[0]);
	assert_int_equal(0, worker_answer(&q.waiter[0]));
	print_message("%ld sleeps\n", count_switches(&q.waiter[0]) - before);
	assert_true(count_switches(&q.waiter[0]) - before < 10);
	end_queue(&q);
}

/*
 * The kernel announces neither death.  One of the dead members is the first
 * waiter, whose task is to look for such deaths.
 */
static void the_second_waiter_finds_deaths_that_are_not_announced(void **state)
{
	struct queue q;

	(void)state;
	q = make_queue("roster", 1, 1);
	add_unannounced(&q, false);
	for (unsigned i = 0; i < 3; i++)
		add_waiter(&q, ENTER);
	assert_int_equal(0, worker_do(&q.holder[0], UNANNOUNCED));
	await_switches(&q.waiter[3], count_switches(&q.waiter[3]) + 7);
	kill_one(&q.waiter[0]);
	kill_one(&q.holder[0]);
	assert_int_equal(0, worker_answer(&q.waiter[1]));
	assert_int_equal(2, totals_of(q.pool).recovered);
	end_queue(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WAITING_TEST(
			a_waiter_that_reaches_the_head_watches_all_holders),
		WAITING_TEST(
			the_waiter_behind_a_session_watches_all_its_members),
		WAITING_TEST(a_waiter_that_enters_wakes_the_two_behind_it),
		WAITING_TEST(a_waiter_that_gives_up_wakes_the_one_behind_it),
		WAITING_TEST(a_killed_waiter_wakes_the_two_behind_it),
		WAITING_TEST(a_recoverer_wakes_the_waiter_behind_the_dead_one),
		WAITING_TEST(the_head_learns_of_a_thread_that_has_ended),
		WAITING_TEST(a_stopped_first_waiter_does_not_hide_deaths),
		WAITING_TEST(waiters_find_a_dead_waiter_that_is_not_announced),
		WAITING_TEST(
			the_first_waiter_looks_at_the_holders_after_each_nap),
		WAITING_TEST(
			the_second_waiter_finds_deaths_that_are_not_announced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
