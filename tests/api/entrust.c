/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests members that are entrusted to a process, the trustee: such a member
 * lives as long as its trustee.
 */
#include "workers.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts a worker that is inside a pool with k = 1 and has entrusted its member
 * to its child. */
static struct worker start_with_trustee(struct atmost **pool,
					enum request request, pid_t *trustee)
{
	struct worker holder;

	*pool = open_pool("pool", "roster", 1, 4);
	holder = worker_start("pool");
	assert_int_equal(0, worker_do(&holder, ENTER));
	*trustee = worker_do(&holder, request);
	assert_true(*trustee > 0);
	return holder;
}

/* The test does not wait for the trustee, which is not its child. */
static void end_trustee(pid_t trustee)
{
	assert_int_equal(0, kill(trustee, SIGKILL));
}

static void the_trustee_of_a_killed_holder_keeps_the_slot(void **state)
{
	static const enum request requests[] = { TRUST, CHILD };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct atmost *pool;
		pid_t trustee;
		struct worker holder = start_with_trustee(&pool, requests[i],
							  &trustee);
		struct worker waiter = worker_start("pool");
		struct atmost_seat seat;

		worker_kill(&holder);
		assert_int_equal(ATMOST_ETIMEDOUT,
				 worker_do(&waiter, WAIT_300_MS));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_int_equal(0, seat.slot);
		assert_int_equal(trustee, seat.pid);
		assert_string_equal("trustee", seat.command);
		worker_ask(&waiter, ENTER);
		await_waiters(pool, 1);
		end_trustee(trustee);
		/* No process but the waiter can notice the death. */
		assert_int_equal(0, worker_answer(&waiter));
		assert_int_equal(1, totals_of(pool).recovered);
		worker_kill(&waiter);
		atmost_close(pool);
		atmost_unlink("pool");
	}
}

static void without_waiters_the_next_member_notices_the_end_of_the_trustee(
	void **state)
{
	struct atmost *pool;
	pid_t trustee;
	struct worker holder = start_with_trustee(&pool, TRUST, &trustee),
		      other;

	(void)state;
	worker_kill(&holder);
	assert_int_equal(1, totals_of(pool).holders);
	end_trustee(trustee);
	await_holders(pool, 0);
	other = worker_start("pool");
	assert_int_equal(0, worker_do(&other, TRY));
	worker_kill(&other);
	atmost_close(pool);
}

static void a_trustee_that_ended_holds_nothing_though_the_member_lives(
	void **state)
{
	struct atmost *pool;
	pid_t trustee;
	struct worker holder = start_with_trustee(&pool, TRUST, &trustee);

	(void)state;
	assert_int_equal(1, totals_of(pool).holders);
	end_trustee(trustee);
	await_holders(pool, 0);
	assert_int_equal(ATMOST_EEVICTED, worker_do(&holder, LEAVE));
	assert_int_equal(0, worker_do(&holder, PART));
	assert_int_equal(0, totals_of(pool).members);
	assert_int_equal(0, totals_of(pool).recovered);
	/* The next member with the same record is not entrusted. */
	assert_int_equal(0, worker_do(&holder, JOIN));
	assert_int_equal(0, worker_do(&holder, ENTER));
	worker_kill(&holder);
	assert_int_equal(1, totals_of(pool).recovered);
	atmost_close(pool);
}

static void a_member_entrusted_to_its_own_process_survives_exec(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct worker holder = worker_start("pool");
	struct worker waiter = worker_start("pool");

	(void)state;
	assert_int_equal(0, worker_do(&holder, ENTER));
	worker_ask(&holder, BECOME);
	await_program(&holder);
	assert_int_equal(ATMOST_ETIMEDOUT, worker_do(&waiter, WAIT_300_MS));
	worker_ask(&waiter, ENTER);
	await_waiters(pool, 1);
	worker_kill(&holder);
	assert_int_equal(0, worker_answer(&waiter));
	worker_kill(&waiter);
	atmost_close(pool);
}

static void a_zombie_holds_nothing(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct worker holder = worker_start("pool");

	(void)state;
	assert_int_equal(0, worker_do(&holder, ENTER));
	worker_ask(&holder, BECOME);
	await_program(&holder);
	assert_int_equal(0, kill(holder.pid, SIGKILL));
	await_holders(pool, 0); /* the holder is a zombie */
	/* The library cannot tell an ended command from a killed one. */
	assert_int_equal(0, totals_of(pool).recovered);
	expect_end(holder.pid);
	atmost_close(pool);
}

static void a_reused_pid_is_another_process(void **state)
{
	struct atmost *pool;
	pid_t trustee;
	struct worker holder = start_with_trustee(&pool, TRUST, &trustee);
	const long process = file_record("pool", holder.pid) + AT_ENTRUSTED;
	const uint64_t other = 1;

	(void)state;
	worker_kill(&holder);
	assert_int_equal(1, totals_of(pool).holders);
	file_patch("pool", process + PROCESS_START, &other, sizeof other);
	file_patch("pool", process + PROCESS_INODE, &other, sizeof other);
	assert_int_equal(0, totals_of(pool).holders);
	end_trustee(trustee);
	atmost_close(pool);
}

static void an_impossible_trustee_is_refused(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct atmost_member *me;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(0, atmost_join(pool, &me));
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_entrust(me, 0x3ffffffe, NULL));
	expect_detail("no process 1073741822");
	/* The message of this error must fit processes as well as pools. */
	assert_non_null(strstr(atmost_strerror(ATMOST_ENOTFOUND), "process"));
	assert_null(strstr(atmost_strerror(ATMOST_ENOTFOUND), "name"));
	pid = fork();
	if (pid == 0)
		_exit(atmost_entrust(me, getppid(), NULL) == ATMOST_EFORKED &&
		      atmost_label(me, "x") == ATMOST_EFORKED);
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_int_equal(1, WEXITSTATUS(status));
	atmost_part(me);
	atmost_close(pool);
}

static void a_label_is_shown_until_its_member_parts(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 1, 4);
	struct atmost_member *me;
	struct atmost_seat seat;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(0, atmost_join(pool, &me));
		assert_int_equal(0, atmost_enter(me, NULL));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_string_equal("", seat.label);
		assert_int_equal(
			0, atmost_label(
				   me,
				   "0123456789012345678901234567890123456789"));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_string_equal("0123456789012345678901234567890",
				    seat.label);
		assert_int_equal(0, atmost_label(me, NULL));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_string_equal("", seat.label);
		assert_int_equal(0, atmost_label(me, "again"));
		assert_int_equal(1, atmost_status(pool, &seat, 1, NULL));
		assert_string_equal("again", seat.label);
		atmost_part(me);
	}
	atmost_close(pool);
}

static void inspect_and_status_describe_the_pool(void **state)
{
	struct atmost *pool = open_pool("pool", "roster", 2, 5);
	struct worker holder = worker_start("pool");
	struct atmost_totals totals;
	struct atmost_shape shape;

	(void)state;
	assert_int_equal(0, atmost_inspect(pool, &shape));
	assert_int_equal(2, shape.k);
	assert_int_equal(5, shape.members);
	assert_string_equal("roster", shape.algorithm);
	worker_kill(&holder);
	assert_int_equal(0, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(1, totals.found);
	assert_int_equal(0, totals_of(pool).found);
	atmost_close(pool);
}

static void atmost_directory_returns_the_directory(void **state)
{
	char path[4096], small[3];

	(void)state;
	assert_int_equal(0, atmost_directory(path, sizeof path));
	assert_string_equal(folder, path);
	assert_int_equal(ATMOST_ESYSTEM, atmost_directory(small, sizeof small));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(the_trustee_of_a_killed_holder_keeps_the_slot),
		TEST_IN_FOLDER(
			without_waiters_the_next_member_notices_the_end_of_the_trustee),
		TEST_IN_FOLDER(
			a_trustee_that_ended_holds_nothing_though_the_member_lives),
		TEST_IN_FOLDER(
			a_member_entrusted_to_its_own_process_survives_exec),
		TEST_IN_FOLDER(a_zombie_holds_nothing),
		TEST_IN_FOLDER(a_reused_pid_is_another_process),
		TEST_IN_FOLDER(an_impossible_trustee_is_refused),
		TEST_IN_FOLDER(a_label_is_shown_until_its_member_parts),
		TEST_IN_FOLDER(inspect_and_status_describe_the_pool),
		TEST_IN_FOLDER(atmost_directory_returns_the_directory),
	};

	return cmocka_run_group_tests_name("entrust", tests, NULL, NULL);
}
