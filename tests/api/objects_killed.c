/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests shared objects whose members are killed or stopped: the operation of
 * such a member happens once or never, and its outcome says which.
 */
#include "object_types.h"

#include "folder.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The plan of a process, which joins "o" and applies ADD once. */
struct plan {
	unsigned k, flags;
	uint64_t number, tag;
	enum behaviour behaviour;
	bool only_joins;
	bool early;            /* the behaviour begins before the join */
	bool stays_afterwards; /* the process stays after the call */
};

static void run_plan(const struct plan *plan)
{
	const struct atmost_object_type type = twice_type();
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = plan->k,
		.flags = plan->flags,
	};
	const struct atmost_object_want want = { .tag = plan->tag };
	const uint64_t argument[2] = { plan->number, 0 };
	struct atmost_object *object;
	struct atmost_object_member *me;

	child_begins();
	behaviour = plan->early ? plan->behaviour : NONE;
	if (atmost_object_open(&object, "o", &shape) ||
	    atmost_object_join(object, &me))
		_exit(1);
	if (plan->only_joins)
		_exit(0);
	behaviour = plan->behaviour;
	if (atmost_object_apply_as(me, &want, ADD, argument, NULL))
		_exit(2);
	if (plan->stays_afterwards) {
		(void)!write(staying[1], "", 1);
		pause();
	}
	_exit(0); /* without parting */
}

static pid_t start(const struct plan *plan)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		run_plan(plan);
	assert_true(pid > 0);
	return pid;
}

static void await_staying(void)
{
	char c;

	assert_int_equal(1, read(staying[0], &c, 1));
}

static int wait_for_end(pid_t pid)
{
	int status;

	assert_int_equal(pid, waitpid(pid, &status, 0));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void kill_and_wait(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(-SIGKILL, wait_for_end(pid));
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

static void an_announced_operation_of_a_killed_member_happens_once(void **state)
{
	const struct plan plan = {
		.k = 2, .number = 5, .tag = 17, .behaviour = STAY
	};
	struct atmost_object *object = open_twice("o", 2);
	struct atmost_object_member *me = join_object(object);
	uint64_t mine;
	pid_t pid;

	(void)state;
	behaviour_begin();
	add(me, 1);
	pid = start(&plan);
	await_staying();
	/* The process stays in the function, but its announced operation
	 * happens together with this operation, in the order of their slots. */
	mine = add(me, 1);
	assert_true(mine == 1 || mine == 6);
	assert_int_equal(7, number_of(object));
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, 17, NULL, NULL));
	expect_detail("tag 17 is alive, or has not been recovered yet");
	kill_and_wait(pid);
	expect_outcome(object, 17, true, mine == 1 ? 2 : 1);
	assert_int_equal(7, number_of(object));
	assert_int_equal(1, totals_of(object).recovered);
	assert_int_equal(1, totals_of(object).members);
	atmost_object_close(object);
}

static void the_recoverer_finishes_an_announced_operation(void **state)
{
	const struct plan plan = {
		.k = 1, .number = 5, .tag = 17, .behaviour = DIE
	};
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);

	(void)state;
	assert_int_equal(-SIGKILL, wait_for_end(start(&plan)));
	assert_int_equal(0, number_of(object));
	/* This operation waits for the only slot, which the dead member
	 * holds. */
	assert_int_equal(5, add(me, 1));
	expect_outcome(object, 17, true, 0);
	assert_int_equal(6, number_of(object));
	atmost_object_close(object);
}

static void after_a_recoverer_that_died_another_recovers(void **state)
{
	const struct plan first = {
		.k = 2, .number = 5, .tag = 17, .behaviour = DIE
	};
	const struct plan other = {
		.k = 2, .number = 7, .tag = 18, .behaviour = DIE, .early = true
	};
	struct atmost_object *object = open_twice("o", 2);

	(void)state;
	assert_int_equal(-SIGKILL, wait_for_end(start(&first)));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(-SIGKILL, wait_for_end(start(&other)));
	assert_int_equal(0, number_of(object));
	assert_int_equal(1, totals_of(object).recovered);
	expect_outcome(object, 17, true, 0);
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 18, NULL, NULL));
	assert_int_equal(5, number_of(object));
	atmost_object_close(object);
}

/*
 * "Not yet known" (ATMOST_EBUSY) and "never begun" (ATMOST_ENOTFOUND) are
 * different answers.
 */
static void during_a_recovery_the_outcome_is_not_yet_known(void **state)
{
	const struct plan first = {
		.k = 2, .number = 5, .tag = 17, .behaviour = DIE
	};
	const struct plan other = {
		.k = 2, .number = 7, .behaviour = STAY, .early = true
	};
	struct atmost_object *object = open_twice("o", 2);
	pid_t pid;

	(void)state;
	behaviour_begin();
	assert_int_equal(-SIGKILL, wait_for_end(start(&first)));
	pid = start(&other);
	await_staying();
	assert_int_equal(ATMOST_EBUSY,
			 atmost_object_outcome(object, 17, NULL, NULL));
	kill_and_wait(pid);
	expect_outcome(object, 17, true, 0);
	assert_int_equal(5, number_of(object));
	atmost_object_close(object);
}

static void
a_guarded_member_that_dies_in_its_function_has_no_effect_and_no_slot(
	void **state)
{
	const struct plan plan = { .k = 1,
				   .flags = ATMOST_OBJECT_GUARDED,
				   .number = 5,
				   .tag = 17,
				   .behaviour = DIE };
	const struct atmost_object_want now = { .flags = ATMOST_TRY };
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);

	(void)state;
	assert_int_equal(-SIGKILL, wait_for_end(start(&plan)));
	assert_int_equal(0, atmost_object_apply_as(me, &now, ADD, NULL, NULL));
	expect_outcome(object, 17, false, 0);
	assert_int_equal(0, number_of(object));
	atmost_object_close(object);
}

static void the_operation_of_a_waiter_that_dies_never_happens(void **state)
{
	const struct plan stayer = {
		.k = 1, .number = 5, .tag = 17, .behaviour = STAY
	};
	const struct plan waiter = { .k = 1, .number = 7, .tag = 18 };
	struct atmost_object *object = open_twice("o", 1);
	pid_t first, second;

	(void)state;
	behaviour_begin();
	first = start(&stayer);
	await_staying();
	second = start(&waiter);
	while (totals_of(object).waiters == 0)
		usleep(1000);
	kill_and_wait(second);
	expect_outcome(object, 18, false, 0);
	kill_and_wait(first);
	expect_outcome(object, 17, true, 0);
	assert_int_equal(5, number_of(object));
	atmost_object_close(object);
}

static void a_member_that_dies_after_its_call_has_an_outcome(void **state)
{
	const struct plan plan = {
		.k = 1, .number = 5, .tag = 17, .stays_afterwards = true
	};
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);
	pid_t pid;

	(void)state;
	behaviour_begin();
	add(me, 1);
	pid = start(&plan);
	await_staying();
	/* Other operations use the same slot afterwards. */
	add(me, 1);
	add(me, 1);
	kill_and_wait(pid);
	expect_outcome(object, 17, true, 1);
	atmost_object_close(object);
}

static void an_operation_without_a_tag_has_no_outcome(void **state)
{
	const struct plan plan = { .k = 1, .number = 5, .behaviour = DIE };
	struct atmost_object *object = open_twice("o", 1);

	(void)state;
	assert_int_equal(-SIGKILL, wait_for_end(start(&plan)));
	assert_int_equal(1, totals_of(object).recovered);
	assert_int_equal(5, number_of(object));
	assert_int_equal(ATMOST_ENOTFOUND,
			 atmost_object_outcome(object, 0, NULL, NULL));
	atmost_object_close(object);
}

static void the_death_of_the_next_member_of_an_id_says_nothing_about_the_former(
	void **state)
{
	const struct plan plan = { .k = 1, .only_joins = true };
	const struct atmost_object_want want = { .tag = 17 };
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_object_member *me = join_object(object);

	(void)state;
	assert_int_equal(0, atmost_object_apply_as(me, &want, ADD, NULL, NULL));
	atmost_object_part(me);
	assert_int_equal(0, wait_for_end(start(&plan)));
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
		const struct plan plan = { .k = 2,
					   .number = 1,
					   .tag = 100 + i,
					   .behaviour = i % 2 ? DIE : NONE };

		assert_int_equal(i % 2 ? -SIGKILL : 0,
				 wait_for_end(start(&plan)));
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

static void k_minus_1_stopped_members_block_no_other_member(void **state)
{
	enum { K = 3 };
	const struct plan plan = { .k = K, .number = 5, .behaviour = STAY };
	struct atmost_object *object = open_twice("o", K);
	struct atmost_object_member *me = join_object(object);
	pid_t pid[K - 1];

	(void)state;
	behaviour_begin();
	for (unsigned i = 0; i < K - 1; i++) {
		pid[i] = start(&plan);
		await_staying();
		kill(pid[i], SIGSTOP);
	}
	assert_in_range(add(me, 1), 0, (K - 1) * 5);
	for (uint64_t i = 1; i < 1000; i++)
		assert_int_equal((K - 1) * 5 + i, add(me, 1));
	assert_int_equal(K - 1, totals_of(object).holders);
	assert_int_equal(0, totals_of(object).recovered);
	for (unsigned i = 0; i < K - 1; i++)
		kill_and_wait(pid[i]);
	assert_int_equal(0, totals_of(object).holders);
	assert_int_equal(K - 1, totals_of(object).recovered);
	assert_int_equal((K - 1) * 5 + 1000, number_of(object));
	atmost_object_close(object);
}

static void a_caller_without_the_object_type_recovers_no_member(void **state)
{
	const struct plan plan = {
		.k = 1, .number = 5, .tag = 17, .behaviour = DIE
	};
	struct atmost_object *object = open_twice("o", 1);
	struct atmost_totals totals;
	struct atmost *pool;

	(void)state;
	assert_int_equal(-SIGKILL, wait_for_end(start(&plan)));
	assert_int_equal(0, atmost_open(&pool, "o", NULL));
	assert_int_equal(1, atmost_status(pool, NULL, 0, &totals));
	assert_int_equal(0, totals.recovered);
	assert_int_equal(0, totals.lost);
	assert_int_equal(1, totals.holders);
	assert_int_equal(0, totals.members);
	atmost_close(pool);
	assert_int_equal(1, totals_of(object).recovered);
	expect_outcome(object, 17, true, 0);
	atmost_object_close(object);
}

static void without_recovery_dead_members_are_lost_but_do_no_harm(void **state)
{
	const struct atmost_object_type type = twice_type();
	const struct atmost_object_shape shape = {
		.type = &type,
		.k = 2,
		.algorithm = "renaming/am-fast-path",
	};
	const struct plan plan = {
		.k = 2, .number = 5, .tag = 17, .behaviour = DIE
	};
	struct atmost_object *object = NULL;
	struct atmost_object_member *me;

	(void)state;
	assert_int_equal(0, atmost_object_open(&object, "o", &shape));
	me = join_object(object);
	assert_int_equal(-SIGKILL, wait_for_end(start(&plan)));
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
			an_announced_operation_of_a_killed_member_happens_once),
		TEST_IN_FOLDER(the_recoverer_finishes_an_announced_operation),
		TEST_IN_FOLDER(after_a_recoverer_that_died_another_recovers),
		TEST_IN_FOLDER(during_a_recovery_the_outcome_is_not_yet_known),
		TEST_IN_FOLDER(
			a_guarded_member_that_dies_in_its_function_has_no_effect_and_no_slot),
		TEST_IN_FOLDER(
			the_operation_of_a_waiter_that_dies_never_happens),
		TEST_IN_FOLDER(
			a_member_that_dies_after_its_call_has_an_outcome),
		TEST_IN_FOLDER(an_operation_without_a_tag_has_no_outcome),
		TEST_IN_FOLDER(
			the_death_of_the_next_member_of_an_id_says_nothing_about_the_former),
		TEST_IN_FOLDER(the_last_64_outcomes_are_kept),
		TEST_IN_FOLDER(k_minus_1_stopped_members_block_no_other_member),
		TEST_IN_FOLDER(
			a_caller_without_the_object_type_recovers_no_member),
		TEST_IN_FOLDER(
			without_recovery_dead_members_are_lost_but_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
