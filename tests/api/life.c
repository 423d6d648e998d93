/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests deaths: the slots of killed holders come back, and living holders keep
 * their slots.
 */
#include "workers.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Algorithms that recover dead members; roster and room also hand out slots. */
static const char *const recoverable[] = {
	"roster",
	"k-bakery",
	"k-bakery-fife",
	"room",
};
enum { RECOVERABLE = 4, ROSTER = 0, ROOM = 3 };

/* A new pool that uses the i-th of these algorithms. */
static struct atmost *fresh(unsigned i, unsigned k, unsigned members)
{
	atmost_unlink("pool");
	return open_pool("pool", recoverable[i], k, members);
}

static void a_waiter_gets_the_slot_of_a_killed_holder(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");
		struct worker waiter = worker_start("pool");

		assert_int_equal(0, worker_do(&holder, ENTER));
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		worker_kill(&holder);
		/* No process but the waiter can notice the death. */
		assert_int_equal(0, worker_answer(&waiter));
		assert_int_equal(1, totals_of(pool).recovered);
		assert_int_equal(1, totals_of(pool).members);
		assert_int_equal(0, worker_do(&waiter, LEAVE));
		worker_kill(&waiter);
		assert_int_equal(2, totals_of(pool).recovered);
		assert_int_equal(0, totals_of(pool).members);
		atmost_close(pool);
	}
}

static void k_waiters_get_the_slots_of_k_killed_holders(void **state)
{
	enum { K = 5 };

	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, K, 2 * K);
		struct worker holder[K], waiter[K];
		unsigned slots = 0;

		for (unsigned j = 0; j < K; j++) {
			holder[j] = worker_start("pool");
			waiter[j] = worker_start("pool");
			assert_true(worker_do(&holder[j], ENTER) >= 0);
		}
		for (unsigned j = 0; j < K; j++)
			worker_ask(&waiter[j], ENTER);
		await_waiters(pool, K);
		for (unsigned j = 0; j < K; j++)
			kill(holder[j].pid, SIGKILL);
		for (unsigned j = 0; j < K; j++)
			slots |= 1u << worker_answer(&waiter[j]);
		assert_int_equal(i == ROSTER || i == ROOM ? (1 << K) - 1 : 1,
				 slots);
		for (unsigned j = 0; j < K; j++) {
			worker_kill(&holder[j]);
			worker_kill(&waiter[j]);
		}
		assert_int_equal(2 * K, totals_of(pool).recovered);
		atmost_close(pool);
	}
}

static void a_killed_waiter_blocks_no_member(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");
		struct worker first = worker_start("pool");
		struct worker second = worker_start("pool");

		assert_int_equal(0, worker_do(&holder, ENTER));
		worker_ask(&first, ENTER);
		await_waiters(pool, 1);
		worker_ask(&second, ENTER);
		await_waiters(pool, 2);
		worker_kill(&first);
		assert_int_equal(0, worker_do(&holder, LEAVE));
		assert_int_equal(0, worker_answer(&second));
		worker_kill(&second);
		assert_int_equal(0, worker_do(&holder, TRY));
		worker_kill(&holder);
		atmost_close(pool);
	}
}

/* No process calls the library between the deaths and the try. */
static void a_try_recovers_the_dead_and_enters(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 8);
		struct worker last = worker_start("pool");
		struct worker dead[5];

		for (unsigned j = 0; j < 5; j++)
			dead[j] = worker_start("pool");
		for (unsigned j = 0; j < 5; j++) {
			worker_ask(&dead[j], ENTER);
			await_holders(pool, 1);
			await_waiters(pool, j);
		}
		assert_int_equal(0, worker_answer(&dead[0]));
		assert_int_equal(ATMOST_EBUSY, worker_do(&last, TRY));
		/* The last waiter dies first and the holder last, so that no
		 * waiter gets in meanwhile. */
		for (unsigned j = 5; j-- > 0;)
			worker_kill(&dead[j]);
		assert_int_equal(0, worker_do(&last, TRY));
		assert_int_equal(5, totals_of(pool).recovered);
		worker_kill(&last);
		atmost_close(pool);
	}
}

static void a_stopped_holder_keeps_its_slot(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");
		struct worker waiter = worker_start("pool");
		struct atmost_seat seat;
		int status;

		assert_int_equal(0, worker_do(&holder, ENTER));
		assert_int_equal(0, kill(holder.pid, SIGSTOP));
		assert_int_equal(holder.pid,
				 waitpid(holder.pid, &status, WUNTRACED));
		assert_int_equal(ATMOST_EBUSY, worker_do(&waiter, TRY));
		assert_int_equal(ATMOST_ETIMEDOUT,
				 worker_do(&waiter, WAIT_300_MS));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_int_equal(holder.pid, seat.pid);
		assert_int_equal(0, seat.slot);
		assert_int_equal(0, totals_of(pool).recovered);
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		/* A stopped process that is killed is dead. */
		worker_kill(&holder);
		assert_int_equal(0, worker_answer(&waiter));
		worker_kill(&waiter);
		atmost_close(pool);
	}
}

/* A death wakes one waiter, and this waiter may be stopped. */
static void a_stopped_waiter_does_not_hide_a_death_from_the_others(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 2, 4);
		struct worker holder[2], stopped, waiter;
		int status;

		for (unsigned j = 0; j < 2; j++) {
			holder[j] = worker_start("pool");
			assert_true(worker_do(&holder[j], ENTER) >= 0);
		}
		stopped = worker_start("pool");
		waiter = worker_start("pool");
		worker_ask(&stopped, ENTER);
		await_waiters(pool, 1);
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 2);
		assert_int_equal(0, kill(stopped.pid, SIGSTOP));
		assert_int_equal(stopped.pid,
				 waitpid(stopped.pid, &status, WUNTRACED));
		worker_kill(&holder[0]);
		worker_kill(&holder[1]);
		assert_true(worker_answer(&waiter) >= 0);
		assert_int_equal(0, kill(stopped.pid, SIGCONT));
		assert_true(worker_answer(&stopped) >= 0);
		worker_kill(&stopped);
		worker_kill(&waiter);
		atmost_close(pool);
	}
}

/* A sleeping waiter watches only about thirty holders. */
static void the_death_of_any_of_forty_holders_is_noticed(void **state)
{
	enum { K = 40 };

	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, K, K + 1);
		struct worker holder[K], waiter;

		for (unsigned j = 0; j < K; j++) {
			holder[j] = worker_start("pool");
			assert_true(worker_do(&holder[j], ENTER) >= 0);
		}
		waiter = worker_start("pool");
		for (unsigned j = 0; j < 2; j++) {
			worker_ask(&waiter, ENTER);
			await_waiters(pool, 1);
			worker_kill(&holder[j ? 0 : K - 1]);
			assert_true(worker_answer(&waiter) >= 0);
			/* All slots are taken again. */
			holder[j ? 0 : K - 1] = waiter;
			waiter = worker_start("pool");
		}
		worker_kill(&waiter);
		for (unsigned j = 0; j < K; j++)
			worker_kill(&holder[j]);
		assert_int_equal(0, totals_of(pool).members);
		atmost_close(pool);
	}
}

static void a_reused_pid_does_not_keep_a_member_alive(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");
		struct worker waiter = worker_start("pool");
		const uint64_t living = (uint64_t)getpid();
		const long pid = file_record("pool", holder.pid) + AT_PROCESS +
				 PROCESS_PID;

		assert_int_equal(0, worker_do(&holder, ENTER));
		worker_kill(&holder);
		file_patch("pool", pid, &living, sizeof living);
		assert_int_equal(0, worker_do(&waiter, ENTER));
		worker_kill(&waiter);
		atmost_close(pool);
	}
}

static void a_child_does_not_keep_the_members_of_its_parent_alive(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");
		struct worker waiter = worker_start("pool");
		pid_t child;

		assert_int_equal(0, worker_do(&holder, ENTER));
		child = worker_do(&holder, FORK);
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		worker_kill(&holder);
		assert_int_equal(0, worker_answer(&waiter));
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1, totals_of(pool).holders);
		worker_kill(&waiter);
		atmost_close(pool);
	}
}

static void a_process_that_executes_a_program_is_no_member(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");
		struct worker waiter = worker_start("pool");

		assert_int_equal(0, worker_do(&holder, ENTER));
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		worker_ask(&holder, EXEC);
		assert_int_equal(0, worker_answer(&waiter));
		assert_int_equal(0, kill(holder.pid, 0));
		assert_int_equal(0, waitpid(holder.pid, NULL, WNOHANG));
		worker_kill(&holder);
		worker_kill(&waiter);
		atmost_close(pool);
	}
}

static void a_process_that_exits_without_parting_is_no_member(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start("pool");

		assert_int_equal(0, worker_do(&holder, ENTER));
		worker_ask(&holder, END);
		expect_end(holder.pid);
		assert_int_equal(0, totals_of(pool).members);
		assert_int_equal(0, totals_of(pool).holders);
		atmost_close(pool);
	}
}

static void ids_of_dead_members_are_used_again(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 2);

		for (unsigned j = 0; j < 3; j++) {
			struct worker holder = worker_start("pool");
			struct worker waiter = worker_start("pool");
			struct atmost_member *more;

			assert_int_equal(ATMOST_EFULL,
					 atmost_join(pool, &more));
			assert_int_equal(0, worker_do(&holder, ENTER));
			worker_ask(&waiter, ENTER);
			await_waiters(pool, 1);
			worker_kill(&waiter);
			worker_kill(&holder);
		}
		assert_int_equal(0, atmost_enter(join(pool), &try));
		assert_int_equal(6, totals_of(pool).recovered);
		atmost_close(pool);
	}
}

static void a_slot_that_cannot_be_recovered_is_lost_and_counted(void **state)
{
	struct atmost *pool = open_pool("pool", "k-ticket", 2, 4);
	struct worker idle = worker_start("pool");
	struct worker killed = worker_start("pool");
	struct worker other = worker_start("pool");

	(void)state;
	worker_kill(&idle);
	assert_int_equal(0, totals_of(pool).lost);
	assert_int_equal(2, totals_of(pool).members);
	assert_int_equal(1, totals_of(pool).recovered);
	assert_int_equal(0, worker_do(&killed, ENTER));
	worker_kill(&killed);
	assert_int_equal(1, totals_of(pool).lost);
	/* k-1 slots are left. */
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(0, worker_do(&other, ENTER));
		assert_int_equal(0, worker_do(&other, LEAVE));
	}
	assert_int_equal(1, totals_of(pool).lost);
	/* The id of the killed holder is not used again: two of four ids are
	 * free. */
	join(pool);
	join(pool);
	assert_int_equal(ATMOST_EFULL,
			 atmost_join(pool, &(struct atmost_member *){ 0 }));
	worker_kill(&other);
	join(pool);
	assert_int_equal(1, totals_of(pool).lost);
	assert_int_equal(2, totals_of(pool).recovered);
	atmost_close(pool);
}

static void a_death_in_another_pid_namespace_is_noticed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *pool = fresh(i, 1, 4);
		struct worker holder = worker_start_in_namespace("pool");
		struct worker waiter;
		struct atmost_seat seat;

		if (holder.pid == 0) {
			print_message("skipped: this user may not make pid "
				      "namespaces\n");
			atmost_close(pool);
			skip();
		}
		waiter = worker_start("pool");
		assert_int_equal(0, worker_do(&holder, ENTER));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_int_equal(0, seat.pid);
		assert_int_equal(0, seat.slot);
		assert_string_equal("api-life", seat.command);
		assert_int_equal(ATMOST_ETIMEDOUT,
				 worker_do(&waiter, WAIT_300_MS));
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		worker_kill(&holder);
		assert_int_equal(0, worker_answer(&waiter));
		worker_kill(&waiter);
		atmost_close(pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_waiter_gets_the_slot_of_a_killed_holder),
		TEST_IN_FOLDER(k_waiters_get_the_slots_of_k_killed_holders),
		TEST_IN_FOLDER(a_killed_waiter_blocks_no_member),
		TEST_IN_FOLDER(a_try_recovers_the_dead_and_enters),
		TEST_IN_FOLDER(a_stopped_holder_keeps_its_slot),
		TEST_IN_FOLDER(
			a_stopped_waiter_does_not_hide_a_death_from_the_others),
		TEST_IN_FOLDER(the_death_of_any_of_forty_holders_is_noticed),
		TEST_IN_FOLDER(a_reused_pid_does_not_keep_a_member_alive),
		TEST_IN_FOLDER(
			a_child_does_not_keep_the_members_of_its_parent_alive),
		TEST_IN_FOLDER(a_process_that_executes_a_program_is_no_member),
		TEST_IN_FOLDER(
			a_process_that_exits_without_parting_is_no_member),
		TEST_IN_FOLDER(ids_of_dead_members_are_used_again),
		TEST_IN_FOLDER(
			a_slot_that_cannot_be_recovered_is_lost_and_counted),
		TEST_IN_FOLDER(a_death_in_another_pid_namespace_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
