/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Death: what the killed held comes back, and nothing else does.
 */
#include "actors.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those that recover, of each sort: with and without slots. */
static const char *const recoverable[] = {
	"roster",
	"k-bakery",
	"k-bakery-fife",
	"room",
};
enum { RECOVERABLE = 4, ROSTER = 0, ROOM = 3 };

/* Each of them in turn, as an object called `pool`. */
static struct atmost *fresh(unsigned i, unsigned k, unsigned members)
{
	atmost_unlink("pool");
	return open_object("pool", recoverable[i], k, members);
}

static void a_killed_holder_makes_room_for_who_waits(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");
		struct actor waiter = actor_start("pool");

		assert_int_equal(0, actor_do(&holder, ENTER));
		actor_ask(&waiter, ENTER);
		await_waiters(object, 1);
		actor_kill(&holder);
		/* Nobody but the waiter looks. */
		assert_int_equal(0, actor_answer(&waiter));
		assert_int_equal(1, totals_of(object).recovered);
		assert_int_equal(1, totals_of(object).members);
		assert_int_equal(0, actor_do(&waiter, LEAVE));
		actor_kill(&waiter);
		assert_int_equal(2, totals_of(object).recovered);
		assert_int_equal(0, totals_of(object).members);
		atmost_close(object);
	}
}

static void k_killed_holders_make_room_for_k(void **state)
{
	enum { K = 5 };

	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, K, 2 * K);
		struct actor holder[K], waiter[K];
		unsigned slots = 0;

		for (unsigned j = 0; j < K; j++) {
			holder[j] = actor_start("pool");
			waiter[j] = actor_start("pool");
			assert_true(actor_do(&holder[j], ENTER) >= 0);
		}
		for (unsigned j = 0; j < K; j++)
			actor_ask(&waiter[j], ENTER);
		await_waiters(object, K);
		for (unsigned j = 0; j < K; j++)
			kill(holder[j].pid, SIGKILL);
		for (unsigned j = 0; j < K; j++)
			slots |= 1u << actor_answer(&waiter[j]);
		assert_int_equal(i == ROSTER || i == ROOM ? (1 << K) - 1 : 1,
				 slots);
		for (unsigned j = 0; j < K; j++) {
			actor_kill(&holder[j]);
			actor_kill(&waiter[j]);
		}
		assert_int_equal(2 * K, totals_of(object).recovered);
		atmost_close(object);
	}
}

static void a_killed_waiter_costs_nobody_anything(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");
		struct actor first = actor_start("pool");
		struct actor second = actor_start("pool");

		assert_int_equal(0, actor_do(&holder, ENTER));
		actor_ask(&first, ENTER);
		await_waiters(object, 1);
		actor_ask(&second, ENTER);
		await_waiters(object, 2);
		actor_kill(&first);
		assert_int_equal(0, actor_do(&holder, LEAVE));
		assert_int_equal(0, actor_answer(&second));
		actor_kill(&second);
		assert_int_equal(0, actor_do(&holder, TRY));
		actor_kill(&holder);
		atmost_close(object);
	}
}

/* Nobody looks between the deaths and the try. */
static void try_gets_past_the_dead(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 8);
		struct actor last = actor_start("pool");
		struct actor dead[5];

		for (unsigned j = 0; j < 5; j++)
			dead[j] = actor_start("pool");
		for (unsigned j = 0; j < 5; j++) {
			actor_ask(&dead[j], ENTER);
			await_holders(object, 1);
			await_waiters(object, j);
		}
		assert_int_equal(0, actor_answer(&dead[0]));
		assert_int_equal(ATMOST_EBUSY, actor_do(&last, TRY));
		/* The last first, so that nobody gets in meanwhile. */
		for (unsigned j = 5; j-- > 0;)
			actor_kill(&dead[j]);
		assert_int_equal(0, actor_do(&last, TRY));
		assert_int_equal(5, totals_of(object).recovered);
		actor_kill(&last);
		atmost_close(object);
	}
}

static void a_stopped_holder_stays_one(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");
		struct actor waiter = actor_start("pool");
		struct atmost_seat seat;
		int status;

		assert_int_equal(0, actor_do(&holder, ENTER));
		assert_int_equal(0, kill(holder.pid, SIGSTOP));
		assert_int_equal(holder.pid,
				 waitpid(holder.pid, &status, WUNTRACED));
		assert_int_equal(ATMOST_EBUSY, actor_do(&waiter, TRY));
		assert_int_equal(ATMOST_ETIMEDOUT, actor_do(&waiter, HURRY));
		assert_int_equal(1, atmost_status(object, &seat, 1, NULL));
		assert_int_equal(holder.pid, seat.pid);
		assert_int_equal(0, seat.slot);
		assert_int_equal(0, totals_of(object).recovered);
		actor_ask(&waiter, ENTER);
		await_waiters(object, 1);
		/* Dead is dead, also if stopped. */
		actor_kill(&holder);
		assert_int_equal(0, actor_answer(&waiter));
		actor_kill(&waiter);
		atmost_close(object);
	}
}

/* One wake is sent for a death, and it may be this one that gets it. */
static void a_stopped_waiter_keeps_no_death_to_itself(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 2, 4);
		struct actor holder[2], stopped, waiter;
		int status;

		for (unsigned j = 0; j < 2; j++) {
			holder[j] = actor_start("pool");
			assert_true(actor_do(&holder[j], ENTER) >= 0);
		}
		stopped = actor_start("pool");
		waiter = actor_start("pool");
		actor_ask(&stopped, ENTER);
		await_waiters(object, 1);
		actor_ask(&waiter, ENTER);
		await_waiters(object, 2);
		assert_int_equal(0, kill(stopped.pid, SIGSTOP));
		assert_int_equal(stopped.pid,
				 waitpid(stopped.pid, &status, WUNTRACED));
		actor_kill(&holder[0]);
		actor_kill(&holder[1]);
		assert_true(actor_answer(&waiter) >= 0);
		assert_int_equal(0, kill(stopped.pid, SIGCONT));
		assert_true(actor_answer(&stopped) >= 0);
		actor_kill(&stopped);
		actor_kill(&waiter);
		atmost_close(object);
	}
}

/* Who sleeps watches some thirty of them. */
static void of_many_holders_every_one_is_missed(void **state)
{
	enum { K = 40 };

	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, K, K + 1);
		struct actor holder[K], waiter;

		for (unsigned j = 0; j < K; j++) {
			holder[j] = actor_start("pool");
			assert_true(actor_do(&holder[j], ENTER) >= 0);
		}
		waiter = actor_start("pool");
		for (unsigned j = 0; j < 2; j++) {
			actor_ask(&waiter, ENTER);
			await_waiters(object, 1);
			actor_kill(&holder[j ? 0 : K - 1]);
			assert_true(actor_answer(&waiter) >= 0);
			/* Back to a full house. */
			holder[j ? 0 : K - 1] = waiter;
			waiter = actor_start("pool");
		}
		actor_kill(&waiter);
		for (unsigned j = 0; j < K; j++)
			actor_kill(&holder[j]);
		assert_int_equal(0, totals_of(object).members);
		atmost_close(object);
	}
}

static void a_pid_used_again_keeps_nothing_alive(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");
		struct actor waiter = actor_start("pool");
		const uint64_t living = (uint64_t)getpid();
		const long pid = file_record("pool", holder.pid) + AT_PROCESS +
				 PROCESS_PID;

		assert_int_equal(0, actor_do(&holder, ENTER));
		actor_kill(&holder);
		file_patch("pool", pid, &living, sizeof living);
		assert_int_equal(0, actor_do(&waiter, HURRY));
		actor_kill(&waiter);
		atmost_close(object);
	}
}

static void a_child_keeps_nothing_of_its_parent_alive(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");
		struct actor waiter = actor_start("pool");
		pid_t child;

		assert_int_equal(0, actor_do(&holder, ENTER));
		child = actor_do(&holder, FORK);
		actor_ask(&waiter, ENTER);
		await_waiters(object, 1);
		actor_kill(&holder);
		assert_int_equal(0, actor_answer(&waiter));
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1, totals_of(object).holders);
		actor_kill(&waiter);
		atmost_close(object);
	}
}

static void who_becomes_another_program_is_no_member(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");
		struct actor waiter = actor_start("pool");

		assert_int_equal(0, actor_do(&holder, ENTER));
		actor_ask(&waiter, ENTER);
		await_waiters(object, 1);
		actor_ask(&holder, EXEC);
		assert_int_equal(0, actor_answer(&waiter));
		assert_int_equal(0, kill(holder.pid, 0));
		assert_int_equal(0, waitpid(holder.pid, NULL, WNOHANG));
		actor_kill(&holder);
		actor_kill(&waiter);
		atmost_close(object);
	}
}

static void who_ends_without_parting_is_no_member(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start("pool");

		assert_int_equal(0, actor_do(&holder, ENTER));
		actor_ask(&holder, END);
		expect_end(holder.pid);
		assert_int_equal(0, totals_of(object).members);
		assert_int_equal(0, totals_of(object).holders);
		atmost_close(object);
	}
}

static void ids_of_the_dead_are_used_again(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 2);

		for (unsigned j = 0; j < 3; j++) {
			struct actor holder = actor_start("pool");
			struct actor waiter = actor_start("pool");
			struct atmost_member *more;

			assert_int_equal(ATMOST_EFULL,
					 atmost_join(object, &more));
			assert_int_equal(0, actor_do(&holder, ENTER));
			actor_ask(&waiter, ENTER);
			await_waiters(object, 1);
			actor_kill(&waiter);
			actor_kill(&holder);
		}
		assert_int_equal(0, atmost_enter(join(object), &try));
		assert_int_equal(6, totals_of(object).recovered);
		atmost_close(object);
	}
}

static void what_cannot_be_recovered_is_lost_and_counted(void **state)
{
	struct atmost *object = open_object("pool", "k-ticket", 2, 4);
	struct actor idle = actor_start("pool");
	struct actor killed = actor_start("pool");
	struct actor other = actor_start("pool");

	(void)state;
	actor_kill(&idle);
	assert_int_equal(0, totals_of(object).lost);
	assert_int_equal(2, totals_of(object).members);
	assert_int_equal(1, totals_of(object).recovered);
	assert_int_equal(0, actor_do(&killed, ENTER));
	actor_kill(&killed);
	assert_int_equal(1, totals_of(object).lost);
	/* k-1 places are left. */
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(0, actor_do(&other, ENTER));
		assert_int_equal(0, actor_do(&other, LEAVE));
	}
	assert_int_equal(1, totals_of(object).lost);
	/* Its id is not used again: two of four and this one. */
	join(object);
	join(object);
	assert_int_equal(ATMOST_EFULL,
			 atmost_join(object, &(struct atmost_member *){ 0 }));
	actor_kill(&other);
	join(object);
	assert_int_equal(1, totals_of(object).lost);
	assert_int_equal(2, totals_of(object).recovered);
	atmost_close(object);
}

static void a_death_in_another_pid_namespace_is_noticed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < RECOVERABLE; i++) {
		struct atmost *object = fresh(i, 1, 4);
		struct actor holder = actor_start_elsewhere("pool");
		struct actor waiter;
		struct atmost_seat seat;

		if (holder.pid == 0) {
			print_message("skipped: no pid namespaces here\n");
			atmost_close(object);
			skip();
		}
		waiter = actor_start("pool");
		assert_int_equal(0, actor_do(&holder, ENTER));
		assert_int_equal(1, atmost_status(object, &seat, 1, NULL));
		assert_int_equal(0, seat.pid);
		assert_int_equal(0, seat.slot);
		assert_string_equal("api-life", seat.command);
		assert_int_equal(ATMOST_ETIMEDOUT, actor_do(&waiter, HURRY));
		actor_ask(&waiter, ENTER);
		await_waiters(object, 1);
		actor_kill(&holder);
		assert_int_equal(0, actor_answer(&waiter));
		actor_kill(&waiter);
		atmost_close(object);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(a_killed_holder_makes_room_for_who_waits),
		TEST_IN_FOLDER(k_killed_holders_make_room_for_k),
		TEST_IN_FOLDER(a_killed_waiter_costs_nobody_anything),
		TEST_IN_FOLDER(try_gets_past_the_dead),
		TEST_IN_FOLDER(a_stopped_holder_stays_one),
		TEST_IN_FOLDER(a_stopped_waiter_keeps_no_death_to_itself),
		TEST_IN_FOLDER(of_many_holders_every_one_is_missed),
		TEST_IN_FOLDER(a_pid_used_again_keeps_nothing_alive),
		TEST_IN_FOLDER(a_child_keeps_nothing_of_its_parent_alive),
		TEST_IN_FOLDER(who_becomes_another_program_is_no_member),
		TEST_IN_FOLDER(who_ends_without_parting_is_no_member),
		TEST_IN_FOLDER(ids_of_the_dead_are_used_again),
		TEST_IN_FOLDER(what_cannot_be_recovered_is_lost_and_counted),
		TEST_IN_FOLDER(a_death_in_another_pid_namespace_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
