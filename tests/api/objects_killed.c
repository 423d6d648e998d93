/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared objects whose members are killed, or stopped: what they were at is
 * done once or never, and who asks is told which.
 */
#include "object_types.h"

#include "folder.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that joins "o" and applies ADD once. */
struct part {
	unsigned k, flags;
	uint64_t number, tag;
	enum antics antics;
	bool only_joins;
	bool early;            /* the antics also when it recovers others */
	bool stays_afterwards; /* when the call has returned */
};

static void act(const struct part *part)
{
	const struct atmost_object_type type = twice_type();
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = part->k,
		.flags = part->flags,
	};
	const struct atmost_object_want want = { .tag = part->tag };
	const uint64_t argument[2] = { part->number, 0 };
	struct atmost_object *object;
	struct atmost_object_member *me;

	child_begins();
	antics = part->early ? part->antics : NONE;
	if (atmost_object_open(&object, "o", &shape) ||
	    atmost_object_join(object, &me))
		_exit(1);
	if (part->only_joins)
		_exit(0);
	antics = part->antics;
	if (atmost_object_apply_as(me, &want, ADD, argument, NULL))
		_exit(2);
	if (part->stays_afterwards) {
		(void)!write(stays_at[1], "", 1);
		pause();
	}
	_exit(0); /* without parting */
}

static pid_t start(const struct part *part)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		act(part);
	assert_true(pid > 0);
	return pid;
}

static void await_stay(void)
{
	char c;

	assert_int_equal(1, read(stays_at[0], &c, 1));
}

static int end_of(pid_t pid)
{
	int status;

	assert_int_equal(pid, waitpid(pid, &status, 0));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void kill_it(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(-SIGKILL, end_of(pid));
}

static struct atmost_totals totals_of(struct atmost_object *object)
{
	struct atmost_totals totals;

	assert_true(atmost_object_status(object, NULL, 0, &totals) >= 0);
	return totals;
}

static void expect_outcome(struct atmost_object *object, uint64_t tag,
			   bool happened, uint64_t before)
{
	bool said = !happened;
	uint64_t result[2] = { 99, 99 };

	if (atmost_object_outcome(object, tag, &said, result))
		fail_msg("tag %ju: %s", (uintmax_t)tag, atmost_detail());
	assert_int_equal(happened, said);
	assert_int_equal(happened ? before : 99, result[0]);
	assert_int_equal(ATMOST_EASKED,
			 atmost_object_outcome(object, tag, &said, result));
	expect_detail(atmost_strerror(ATMOST_EASKED));
}

static void what_was_announced_by_one_who_is_killed_happens_once(void **state)
{
	const struct part part = {
		.k = 2, .number = 5, .tag = 17, .antics = STAY
	};
	struct atmost_object *object = open_twice("o", 2);
	struct atmost_object_member *me = join_object(object);
	uint64_t mine;
	pid_t pid;

	(void)state;
	antics_begin();
	add(me, 1);
	pid = start(&part);
	await_stay();
	/* It does not move, and yet what it announced is done with ours, in
	 * the order of names. */
	mine = add(me, 1);
	assert_true(mine == 1 || mine == 6);
	assert_int_equal(7, number_of(object));
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, 17, NULL, NULL));
	expect_detail("tag 17 is alive, or has not been recovered yet");
	kill_it(pid);
	expect_outcome(object, 17, true, mine == 1 ? 2 : 1);
	assert_int_equal(7, number_of(object));
	assert_int_equal(1, totals_of(object).recovered);
	assert_int_equal(1, totals_of(object).members);
	atmost_object_close(object);
}

static void who_recovers_does_what_was_announced(void **state)
{
	const struct part part = {
		.k = 1, .number = 5, .tag = 17, .antics = DIE
	};
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);

	(void)state;
	assert_int_equal(-SIGKILL, end_of(start(&part)));
	assert_int_equal(0, number_of(object));
	/* It waits for the one name, which the dead has. */
	assert_int_equal(5, add(me, 1));
	expect_outcome(object, 17, true, 0);
	assert_int_equal(6, number_of(object));
	atmost_object_close(object);
}

static void who_dies_recovering_is_followed_by_another(void **state)
{
	const struct part first = {
		.k = 2, .number = 5, .tag = 17, .antics = DIE
	};
	const struct part other = {
		.k = 2, .number = 7, .tag = 18, .antics = DIE, .early = true
	};
	struct atmost_object *object = open_twice("o", 2);

	(void)state;
	assert_int_equal(-SIGKILL, end_of(start(&first)));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(-SIGKILL, end_of(start(&other)));
	assert_int_equal(0, number_of(object));
	assert_int_equal(1, totals_of(object).recovered);
	expect_outcome(object, 17, true, 0);
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 18, NULL, NULL));
	assert_int_equal(5, number_of(object));
	atmost_object_close(object);
}

/* Not yet known is another answer than never begun. */
static void while_one_recovers_there_is_no_answer(void **state)
{
	const struct part first = {
		.k = 2, .number = 5, .tag = 17, .antics = DIE
	};
	const struct part other = {
		.k = 2, .number = 7, .antics = STAY, .early = true
	};
	struct atmost_object *object = open_twice("o", 2);
	pid_t pid;

	(void)state;
	antics_begin();
	assert_int_equal(-SIGKILL, end_of(start(&first)));
	pid = start(&other);
	await_stay();
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, 17, NULL, NULL));
	kill_it(pid);
	expect_outcome(object, 17, true, 0);
	assert_int_equal(5, number_of(object));
	atmost_object_close(object);
}

static void who_dies_trying_has_done_nothing_and_holds_nothing(void **state)
{
	const struct part part = { .k = 1,
				   .flags = ATMOST_OBJECT_GUARDED,
				   .number = 5,
				   .tag = 17,
				   .antics = DIE };
	const struct atmost_object_want now = { .flags = ATMOST_TRY };
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);

	(void)state;
	assert_int_equal(-SIGKILL, end_of(start(&part)));
	assert_int_equal(0, atmost_object_apply_as(me, &now, ADD, NULL, NULL));
	expect_outcome(object, 17, false, 0);
	assert_int_equal(0, number_of(object));
	atmost_object_close(object);
}

static void who_dies_waiting_has_done_nothing(void **state)
{
	const struct part stayer = {
		.k = 1, .number = 5, .tag = 17, .antics = STAY
	};
	const struct part waiter = { .k = 1, .number = 7, .tag = 18 };
	struct atmost_object *object = open_twice("o", 1);
	pid_t first, second;

	(void)state;
	antics_begin();
	first = start(&stayer);
	await_stay();
	second = start(&waiter);
	while (totals_of(object).waiters == 0)
		usleep(1000);
	kill_it(second);
	expect_outcome(object, 18, false, 0);
	kill_it(first);
	expect_outcome(object, 17, true, 0);
	assert_int_equal(5, number_of(object));
	atmost_object_close(object);
}

static void who_dies_after_its_call_returned_is_told_of_too(void **state)
{
	const struct part part = {
		.k = 1, .number = 5, .tag = 17, .stays_afterwards = true
	};
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);
	pid_t pid;

	(void)state;
	antics_begin();
	add(me, 1);
	pid = start(&part);
	await_stay();
	/* Others have used the same name since. */
	add(me, 1);
	add(me, 1);
	kill_it(pid);
	expect_outcome(object, 17, true, 1);
	atmost_object_close(object);
}

static void who_has_no_tag_has_no_outcome(void **state)
{
	const struct part part = { .k = 1, .number = 5, .antics = DIE };
	struct atmost_object *object = open_twice("o", 1);

	(void)state;
	assert_int_equal(-SIGKILL, end_of(start(&part)));
	assert_int_equal(1, totals_of(object).recovered);
	assert_int_equal(5, number_of(object));
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 0, NULL, NULL));
	atmost_object_close(object);
}

static void who_parted_is_not_told_of_by_the_next_of_its_id(void **state)
{
	const struct part part = { .k = 1, .only_joins = true };
	const struct atmost_object_want want = { .tag = 17 };
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);

	(void)state;
	assert_int_equal(0, atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	atmost_object_part(me);
	assert_int_equal(0, end_of(start(&part)));
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 17, NULL, NULL));
	assert_int_equal(1, totals_of(object).recovered);
	atmost_object_close(object);
}

static void the_last_64_outcomes_are_kept(void **state)
{
	enum { DEATHS = 70, KEPT = 64 };
	struct atmost_object *object = open_twice("o", 2);

	(void)state;
	for (uint64_t i = 0; i < DEATHS; i++) {
		const struct part part = { .k = 2,
					   .number = 1,
					   .tag = 100 + i,
					   .antics = i % 2 ? DIE : NONE };

		assert_int_equal(i % 2 ? -SIGKILL : 0, end_of(start(&part)));
		assert_int_equal(i + 1, totals_of(object).recovered);
	}
	for (uint64_t i = 0; i < DEATHS - KEPT; i++)
		assert_int_equal(ATMOST_ENOTFOUND,
				 atmost_object_outcome(object, 100 + i, NULL,
						       NULL));
	for (uint64_t i = DEATHS - KEPT; i < DEATHS; i++)
		expect_outcome(object, 100 + i, true, i);
	atmost_object_close(object);
}

static void k_minus_1_that_are_stopped_stop_nobody(void **state)
{
	enum { K = 3 };
	const struct part part = { .k = K, .number = 5, .antics = STAY };
	struct atmost_object *object = open_twice("o", K);
	struct atmost_object_member *me = join_object(object);
	pid_t pid[K - 1];

	(void)state;
	antics_begin();
	for (unsigned i = 0; i < K - 1; i++) {
		pid[i] = start(&part);
		await_stay();
		kill(pid[i], SIGSTOP);
	}
	assert_in_range(add(me, 1), 0, (K - 1) * 5);
	for (uint64_t i = 1; i < 1000; i++)
		assert_int_equal((K - 1) * 5 + i, add(me, 1));
	assert_int_equal(K - 1, totals_of(object).holders);
	assert_int_equal(0, totals_of(object).recovered);
	for (unsigned i = 0; i < K - 1; i++)
		kill_it(pid[i]);
	assert_int_equal(0, totals_of(object).holders);
	assert_int_equal(K - 1, totals_of(object).recovered);
	assert_int_equal((K - 1) * 5 + 1000, number_of(object));
	atmost_object_close(object);
}

static void who_only_looks_recovers_nobody(void **state)
{
	const struct part part = {
		.k = 1, .number = 5, .tag = 17, .antics = DIE
	};
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_totals totals;
	struct atmost *look;

	(void)state;
	assert_int_equal(-SIGKILL, end_of(start(&part)));
	assert_int_equal(0, atmost_open(&look, "o", NULL));
	assert_int_equal(1, atmost_status(look, NULL, 0, &totals));
	assert_int_equal(0, totals.recovered);
	assert_int_equal(0, totals.lost);
	assert_int_equal(1, totals.holders);
	assert_int_equal(0, totals.members);
	atmost_close(look);
	assert_int_equal(1, totals_of(object).recovered);
	expect_outcome(object, 17, true, 0);
	atmost_object_close(object);
}

static void the_dead_are_lost_to_who_cannot_recover_but_do_no_harm(void **state)
{
	const struct atmost_object_type type = twice_type();
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = 2,
		.algorithm = "renaming/am-fast-path",
	};
	const struct part part = {
		.k = 2, .number = 5, .tag = 17, .antics = DIE
	};
	struct atmost_object *object = NULL;
	struct atmost_object_member *me;

	(void)state;
	assert_int_equal(0, atmost_object_open(&object, "o", &shape));
	me = join_object(object);
	assert_int_equal(-SIGKILL, end_of(start(&part)));
	assert_int_equal(5, add(me, 1));
	assert_int_equal(1, totals_of(object).lost);
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, 17, NULL, NULL));
	atmost_object_close(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_FOLDER(
			what_was_announced_by_one_who_is_killed_happens_once),
		TEST_IN_FOLDER(who_recovers_does_what_was_announced),
		TEST_IN_FOLDER(who_dies_recovering_is_followed_by_another),
		TEST_IN_FOLDER(while_one_recovers_there_is_no_answer),
		TEST_IN_FOLDER(
			who_dies_trying_has_done_nothing_and_holds_nothing),
		TEST_IN_FOLDER(who_dies_waiting_has_done_nothing),
		TEST_IN_FOLDER(who_dies_after_its_call_returned_is_told_of_too),
		TEST_IN_FOLDER(who_has_no_tag_has_no_outcome),
		TEST_IN_FOLDER(who_parted_is_not_told_of_by_the_next_of_its_id),
		TEST_IN_FOLDER(the_last_64_outcomes_are_kept),
		TEST_IN_FOLDER(k_minus_1_that_are_stopped_stop_nobody),
		TEST_IN_FOLDER(who_only_looks_recovers_nobody),
		TEST_IN_FOLDER(
			the_dead_are_lost_to_who_cannot_recover_but_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
