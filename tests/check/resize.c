/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks algorithms whose k changes while processes enter and leave. */
#include "check.h"

#include <string.h>

TEST(a_k_may_grow_and_shrink)
{
	(void)state;
	expect_holds("toy-elastic", .n = 3, .k = 1, .resize = { 2 });
	expect_holds("toy-elastic", .n = 3, .k = 2, .resize = { 1 },
		     .passages = 2);
	expect_holds("toy-elastic", .n = 4, .k = 1, .resize = { 3, 1, 2 },
		     .aborts = 1);
	expect_holds("toy-elastic", .n = 4, .k = 3, .resize = { 2 },
		     .passages = -1,
		     .only = "at-most-k,no-deadlock,quiescence");
}

TEST(a_crash_while_resizing_counts_as_one_of_the_allowed_crashes)
{
	(void)state;
	expect_holds("toy-elastic", .n = 4, .k = 2, .resize = { 3, 2 },
		     .crashes = 1);
}

TEST(a_resize_of_a_dead_process_begins_again)
{
	(void)state;
	expect_holds("toy-elastic", .n = 3, .k = 2, .resize = { 1, 2 },
		     .deaths = 2);
	expect_holds("toy-elastic-hasty", .n = 3, .k = 2, .resize = { 1 },
		     .passages = 2);
	expect_breaks("at-most-k", "toy-elastic-hasty", .n = 3, .k = 2,
		      .resize = { 1 }, .deaths = 1,
		      .holds = "no-deadlock,no-starvation,no-lost-wake");
}

TEST(at_most_k_refuses_a_process_too_many_after_shrinking)
{
	(void)state;
	expect_breaks("at-most-k", "toy-elastic-loose", .n = 3, .k = 2,
		      .resize = { 1 },
		      .holds = "no-deadlock,no-starvation,no-lost-wake");
	expect_holds("toy-elastic-loose", .n = 3, .k = 1, .resize = { 2 });
}

TEST(a_resize_may_be_a_single_step)
{
	(void)state;
	expect_holds("toy-elastic-once", .n = 4, .k = 2, .resize = { 3 });
	expect_holds("toy-elastic-once", .n = 3, .k = 2, .resize = { 1 },
		     .passages = 2);
	expect_breaks("at-most-k", "toy-elastic-once", .n = 4, .k = 2,
		      .resize = { 3, 2 },
		      .holds = "no-deadlock,no-starvation,no-lost-wake");
}

TEST(at_most_k_refuses_a_process_too_many_after_growing)
{
	(void)state;
	expect_breaks("at-most-k", "toy-elastic-greedy", .n = 4, .k = 1,
		      .resize = { 2 },
		      .holds = "no-deadlock,no-starvation,no-lost-wake");
	expect_holds("toy-elastic-greedy", .n = 4, .k = 2, .resize = { 1 });
}

TEST(no_lost_wake_refuses_growing_without_a_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "toy-elastic-mute", .n = 3, .k = 1,
		      .resize = { 2 },
		      .holds = "at-most-k,no-deadlock,no-starvation");
}

TEST(a_resizing_process_can_be_stuck_like_others)
{
	(void)state;
	expect_holds("toy-elastic-patient", .n = 3, .k = 2, .resize = { 2 },
		     .no_crashes = true);
	expect_breaks("no-starvation", "toy-elastic-patient", .n = 3, .k = 2,
		      .resize = { 2 }, .crashes = 1,
		      .holds = "at-most-k,no-deadlock");
	expect_breaks("no-lost-wake", "toy-elastic-patient", .n = 3, .k = 2,
		      .resize = { 2 });
}

TEST(no_starvation_refuses_a_resize_that_never_ends)
{
	(void)state;
	expect_holds("toy-endless-resize", .n = 2, .k = 2);
	expect_breaks("no-starvation,no-deadlock", "toy-endless-resize", .n = 2,
		      .k = 2, .resize = { 1 }, .holds = "bounded-leave");
	expect_replays("no-starvation",
		       "toy-endless-resize n=2 k=2 resize=1 : 1 | 1");
}

TEST(quiescence_refuses_a_k_that_is_not_that_of_the_last_resize)
{
	(void)state;
	expect_breaks("quiescence", "toy-elastic-stingy", .n = 3, .k = 1,
		      .resize = { 2 },
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "bounded-leave,no-lost-wake");
	expect_holds("toy-elastic-stingy", .n = 3, .k = 2, .resize = { 1 });
}

TEST(one_worker_and_two_see_the_same_resizes)
{
	(void)state;
	expect_holds("toy-elastic", .n = 4, .k = 2, .resize = { 1, 3 },
		     .workers = 1);
	expect_holds("toy-elastic", .n = 4, .k = 2, .resize = { 1, 3 },
		     .workers = 2);
}

TEST(a_resize_is_replayed)
{
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay("toy-elastic n=3 k=1 passages=1,1 "
					 "resize=2,1 deaths=1 : 0*3 2 2d 2*2 "
					 "1*3 2*2",
					 error);
	const struct lab_answer *a;

	(void)state;
	if (!c)
		fail_msg("%s", error);
	a = lab_check_answer(c);
	assert_int_equal(a->violated, 0);
	assert_string_equal(a->step[3].event, "begins to resize to k=2");
	assert_string_equal(a->step[5].event, "resizes again to k=2");
	assert_string_equal(a->step[6].event, "has resized to k=2");
	assert_string_equal(a->step[9].event, "enters");
	assert_string_equal(a->step[11].event, "has resized to k=1");
	lab_check_end(c);
	expect_replays("at-most-k", "toy-elastic-loose n=3 k=2 resize=1 : "
				    "2*2 0*3 1*3");
}

/* A process that was admitted before the resize can still enter while the
 * resize runs. */
TEST(a_smaller_k_is_checked_once_all_holders_have_left)
{
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay("toy-elastic n=3 k=2 resize=1 : 0*3 2 "
					 "1*3 2",
					 error);

	(void)state;
	if (!c)
		fail_msg("%s", error);
	assert_int_equal(lab_check_answer(c)->violated, 0);
	lab_check_end(c);
}

static void does_not_fit(const char *schedule, const char *words)
{
	char error[LAB_ERROR] = "";

	if (lab_replay(schedule, error) || !strstr(error, words))
		fail_msg("'%s' should say '%s'", error, words);
}

TEST(an_algorithm_that_cannot_be_resized_is_refused)
{
	(void)state;
	expect_refused("k-ticket cannot change its k", "k-ticket", .n = 3,
		       .resize = { 2 });
	expect_refused("2 or more", "toy-elastic", .n = 1, .resize = { 2 });
	expect_refused("k is 9; toy-elastic takes at most 8", "toy-elastic",
		       .n = 3, .resize = { 9 });
	does_not_fit("toy-elastic n=2 resize=0 : 0", "k must be 1 or more");
	does_not_fit("toy-elastic n=2 resize=x : 0", "not a list of numbers");
	does_not_fit("toy-elastic n=2 resize=2 : 1*3", "step 3");
	does_not_fit("toy-elastic n=3 passages=1,1,1 resize=2 : 0",
		     "lists 3 numbers for 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_k_may_grow_and_shrink),
		cmocka_unit_test(
			a_crash_while_resizing_counts_as_one_of_the_allowed_crashes),
		cmocka_unit_test(a_resize_of_a_dead_process_begins_again),
		cmocka_unit_test(
			at_most_k_refuses_a_process_too_many_after_shrinking),
		cmocka_unit_test(a_resize_may_be_a_single_step),
		cmocka_unit_test(
			at_most_k_refuses_a_process_too_many_after_growing),
		cmocka_unit_test(no_lost_wake_refuses_growing_without_a_wake),
		cmocka_unit_test(a_resizing_process_can_be_stuck_like_others),
		cmocka_unit_test(
			no_starvation_refuses_a_resize_that_never_ends),
		cmocka_unit_test(
			quiescence_refuses_a_k_that_is_not_that_of_the_last_resize),
		cmocka_unit_test(one_worker_and_two_see_the_same_resizes),
		cmocka_unit_test(a_resize_is_replayed),
		cmocka_unit_test(
			a_smaller_k_is_checked_once_all_holders_have_left),
		cmocka_unit_test(
			an_algorithm_that_cannot_be_resized_is_refused),
	};

	return RUN(tests);
}
