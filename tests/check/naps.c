/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks polls that make more steps after a nap, and polls that never sleep. */
#include "check.h"

#include <string.h>

TEST(a_nap_finds_a_change_without_a_wake)
{
	(void)state;
	expect_holds("toy-drowsy", .n = 2);
	expect_holds("toy-drowsy", .n = 3, .passages = 2);
	expect_holds("toy-drowsy", .n = 3, .aborts = 1);
	expect_holds("toy-drowsy", .n = 3, .k = 2, .no_crashes = true);
}

/* A nap also ends in a state in which all processes that can still step may
 * have crashed. */
TEST(a_nap_ends_where_all_others_may_have_crashed)
{
	(void)state;
	expect_holds("toy-drowsy", .n = 3, .k = 2);
	expect_holds("toy-drowsy", .n = 4, .k = 3);
	expect_breaks("no-starvation", "toy-drowsy", .n = 3, .k = 2,
		      .crashes = 2, .holds = "at-most-k,no-deadlock");
}

TEST(without_a_second_read_naps_help_no_process)
{
	(void)state;
	expect_breaks("no-deadlock,no-starvation", "toy-sound-sleeper", .n = 2,
		      .holds = "at-most-k,unique-slots,bounded-leave");
	expect_breaks("no-deadlock,no-starvation", "toy-no-alarm", .n = 2,
		      .holds = "at-most-k,unique-slots,bounded-leave");
}

/* The checker ends no nap while other processes can step.  Therefore it does
 * not report a violation of fife if an overtaken process would enter after a
 * nap. */
TEST(an_overtaken_process_may_need_a_nap)
{
	(void)state;
	expect_holds("toy-drowsy-ticket", .n = 3);
	expect_holds("toy-drowsy-ticket", .n = 4, .k = 2, .passages = 1);
	expect_holds("toy-drowsy-ticket", .n = 4, .k = 2, .no_crashes = true);
	expect_breaks("fife,no-starvation", "toy-deaf-ticket", .n = 4, .k = 2,
		      .holds = "at-most-k,k-fcfs");
	expect_breaks("no-deadlock,no-starvation", "toy-deaf-ticket", .n = 2,
		      .holds = "at-most-k,k-fcfs");
}

TEST(no_process_naps_where_wakes_are_steps)
{
	(void)state;
	expect_breaks("no-lost-wake", "toy-drowsy", .n = 2,
		      .holds = "no-deadlock,no-starvation");
}

/*
 * A process that is in the middle of a pass and has only read words may stand
 * there for long, so the nap of another process may end meanwhile.
 */
TEST(a_nap_may_end_while_another_process_reads)
{
	(void)state;
	expect_breaks("at-most-k", "toy-half-asleep", .n = 2,
		      .only = "at-most-k,no-deadlock,no-starvation",
		      .holds = "no-deadlock,no-starvation");
}

/* A waiter whose nap may end looks once more, in vain.  If the checker took the
 * states before and after this look for one state, it would see a cycle. */
TEST(a_look_in_vain_before_the_end_of_a_nap_is_no_cycle)
{
	(void)state;
	expect_holds("toy-lost-turn", .n = 3, .aborts = 1);
}

/* What a pass has named decides whether its process must nap. */
TEST(the_fingerprint_includes_whether_a_pass_has_named_a_word)
{
	(void)state;
	expect_holds("toy-early-name", .n = 2, .passages = 2,
		     .only = "at-most-k,no-deadlock,no-starvation",
		     .find_collisions = true);
}

TEST(one_worker_and_two_see_the_same_naps)
{
	(void)state;
	expect_holds("toy-drowsy", .n = 4, .k = 2, .workers = 1);
	expect_holds("toy-drowsy", .n = 4, .k = 2, .workers = 2);
}

static struct lab_check *replay(const char *schedule)
{
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay(schedule, error);

	if (!c)
		fail_msg("%s", error);
	return c;
}

TEST(a_nap_is_a_step_of_a_schedule)
{
	struct lab_check *c = replay("toy-drowsy n=2 k=1 : 0*2 1*2 0 1n 1");
	const struct lab_answer *a = lab_check_answer(c);

	(void)state;
	assert_int_equal(a->violated, 0);
	assert_int_equal(a->steps, 7);
	assert_string_equal(a->step[5].event, "its nap is over");
	assert_string_equal(a->step[6].event, "enters");
	lab_check_end(c);
}

TEST(a_nap_does_not_end_while_others_can_step)
{
	char error[LAB_ERROR] = "";

	(void)state;
	assert_null(lab_replay("toy-drowsy n=2 k=1 : 0*2 1*2 1n", error));
	assert_non_null(strstr(error, "step 5: the nap of process 1 does"));
	assert_null(lab_replay("k-ticket n=2 k=1 : 0*2 1 1n", error));
	assert_non_null(strstr(error, "does not nap"));
	lab_check_end(replay("toy-drowsy n=3 k=2 crashes=1 : "
			     "0*2 1*3 2*3 0 2n 2"));
}

TEST(a_state_that_a_nap_ends_is_a_deadlock_without_naps)
{
	(void)state;
	expect_replays("no-deadlock", "toy-no-alarm n=2 k=1 : 0*2 1*2 0");
	expect_replays("no-lost-wake", "toy-drowsy n=2 k=1 wakes : 0*2 1*3 0");
}

TEST(random_schedules_nap_as_well)
{
	char error[LAB_ERROR];
	struct lab_question q = {
		.algorithm = "toy-drowsy",
		.n = 2,
		.k = -1,
		.sessions = -1,
		.crashes = -1,
		.deaths = -1,
		.aborts = -1,
		.random = true,
		.seed = 3,
		.seconds = 0.5,
		.memory = (uint64_t)1 << 30,
	};
	struct lab_check *c = lab_check_start(&q, error);

	(void)state;
	assert_non_null(c);
	while (lab_check_advance(c, 10, NULL))
		;
	assert_int_equal(lab_check_answer(c)->verdict, LAB_BOUNDED);
	lab_check_end(c);
}

TEST(the_meter_goes_on_where_all_processes_nap)
{
	struct lab_measure m = { .algorithm = "toy-drowsy",
				 .n = 8,
				 .k = 2,
				 .sessions = -1,
				 .seed = 1,
				 .steps = 100000 };
	struct lab_row row;
	char error[LAB_ERROR];
	bool usage;

	(void)state;
	assert_true(lab_measure(&m, &row, error, &usage));
	assert_true(row.passages > 1000);
}

TEST(a_poll_that_names_no_word_is_repeated_at_once)
{
	(void)state;
	expect_holds("toy-fidget", .n = 3);
	expect_holds("toy-fidget", .n = 2, .passages = -1);
	expect_holds("toy-fidget", .n = 3, .aborts = 1);
	expect_holds("toy-fidget", .n = 2, .also = "no-starvation");
}

TEST(a_poll_that_is_repeated_for_ever_is_a_cycle)
{
	(void)state;
	expect_breaks("no-starvation", "toy-fidget", .n = 2, .passages = -1,
		      .holds = "at-most-k,no-deadlock");
	expect_breaks("no-starvation", "toy-fidget", .n = 2, .crashes = 1,
		      .holds = "at-most-k,no-deadlock");
	expect_breaks("no-deadlock", "toy-locked-out", .n = 2,
		      .holds = "at-most-k,bounded-leave,no-lost-wake");
	expect_breaks("no-starvation", "toy-locked-out", .n = 1);
}

TEST(a_poll_that_names_no_word_must_be_declared_in_the_table)
{
	char error[LAB_ERROR];
	struct lab_question q = {
		.algorithm = "toy-nameless",
		.n = 2,
		.k = -1,
		.sessions = -1,
		.crashes = -1,
		.deaths = -1,
		.aborts = -1,
		.memory = (uint64_t)1 << 30,
	};
	struct lab_check *c = lab_check_start(&q, error);
	const struct lab_answer *a;

	(void)state;
	assert_non_null(c);
	while (lab_check_advance(c, 3600, NULL))
		;
	a = lab_check_answer(c);
	assert_int_equal(a->verdict, LAB_FAILED);
	assert_non_null(strstr(a->message, "names no word"));
	assert_non_null(strstr(a->message, "set .retries"));
	lab_check_end(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_nap_finds_a_change_without_a_wake),
		cmocka_unit_test(a_nap_ends_where_all_others_may_have_crashed),
		cmocka_unit_test(without_a_second_read_naps_help_no_process),
		cmocka_unit_test(an_overtaken_process_may_need_a_nap),
		cmocka_unit_test(no_process_naps_where_wakes_are_steps),
		cmocka_unit_test(a_nap_may_end_while_another_process_reads),
		cmocka_unit_test(
			a_look_in_vain_before_the_end_of_a_nap_is_no_cycle),
		cmocka_unit_test(
			the_fingerprint_includes_whether_a_pass_has_named_a_word),
		cmocka_unit_test(one_worker_and_two_see_the_same_naps),
		cmocka_unit_test(a_nap_is_a_step_of_a_schedule),
		cmocka_unit_test(a_nap_does_not_end_while_others_can_step),
		cmocka_unit_test(
			a_state_that_a_nap_ends_is_a_deadlock_without_naps),
		cmocka_unit_test(random_schedules_nap_as_well),
		cmocka_unit_test(the_meter_goes_on_where_all_processes_nap),
		cmocka_unit_test(a_poll_that_names_no_word_is_repeated_at_once),
		cmocka_unit_test(a_poll_that_is_repeated_for_ever_is_a_cycle),
		cmocka_unit_test(
			a_poll_that_names_no_word_must_be_declared_in_the_table),
	};

	return RUN(tests);
}
