/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks group exclusion on instances that are too large for `make test`. */
#include "check.h"

TEST(jayanti_gme_and_danek_fcfs_hold_with_two_passages_and_for_ever)
{
	(void)state;
	expect_holds("jayanti-gme/queue-mutex", .n = 3, .passages = 2);
	expect_holds("jayanti-gme/queue-mutex", .n = 3, .passages = -1,
		     .gigabytes = 8);
	expect_holds("danek-fcfs/queue-mutex", .n = 3, .passages = 2);
	expect_holds("danek-fcfs/queue-mutex", .n = 3, .passages = -1,
		     .gigabytes = 8);
}

TEST(danek_fife_keeps_its_promises_with_two_passages)
{
	(void)state;
	expect_holds("danek-fife/queue-mutex", .n = 3, .each = { 2, 1, 1 });
	expect_no_violation("danek-fife/queue-mutex", .n = 3, .passages = 2,
			    .gigabytes = 8, .seconds = 900);
}

TEST(capture_cas_keeps_its_promises_with_two_passages_and_for_ever)
{
	(void)state;
	expect_holds("capture-cas/queue-mutex", .n = 3, .each = { 2, 1, 1 });
	expect_holds("capture-cas/queue-mutex", .n = 3, .passages = 2,
		     .gigabytes = 8);
	expect_holds("capture-cas/queue-mutex", .n = 3, .passages = -1,
		     .only = "session-exclusion,no-starvation", .gigabytes = 8);
}

TEST(capture_rw_and_capture_bounded_keep_their_promises_with_two_passages)
{
	(void)state;
	expect_holds("capture-rw/queue-mutex", .n = 3, .each = { 2, 1, 1 });
	expect_holds("capture-bounded/queue-mutex", .n = 3,
		     .each = { 2, 1, 1 });
	expect_no_violation("capture-rw/queue-mutex", .n = 3, .passages = 2,
			    .gigabytes = 8, .seconds = 900);
	expect_no_violation("capture-bounded/queue-mutex", .n = 3,
			    .passages = 2, .gigabytes = 8, .seconds = 900);
}

TEST(two_session_keeps_its_promises_with_two_passages_and_with_four_processes)
{
	(void)state;
	expect_holds("two-session/queue-mutex", .n = 3, .passages = 2);
	expect_holds("two-session/queue-mutex", .n = 4);
}

TEST(session_tree_keeps_its_promises_with_three_processes)
{
	(void)state;
	expect_holds("session-tree/queue-mutex", .n = 3, .sessions = 3,
		     .each = { 2, 2, 1 });
	expect_holds("session-tree/queue-mutex", .n = 3, .sessions = 4);
	expect_holds("session-tree/queue-mutex", .n = 3, .sessions = 3,
		     .aborts = 1);
	expect_holds("session-tree/queue-mutex", .n = 2, .sessions = 4,
		     .passages = 2, .aborts = 1);
	expect_no_violation("session-tree/queue-mutex", .n = 3, .sessions = 3,
			    .passages = 2, .gigabytes = 8, .seconds = 900);
}

TEST(every_group_exclusion_keeps_its_promises_over_bakery_mutex)
{
	(void)state;
	expect_holds("jayanti-gme/bakery-mutex", .n = 3);
	expect_holds("danek-fcfs/bakery-mutex", .n = 3);
	expect_holds("danek-fife/bakery-mutex", .n = 3);
	expect_holds("capture-cas/bakery-mutex", .n = 3);
	expect_holds("capture-rw/bakery-mutex", .n = 3);
	expect_holds("capture-bounded/bakery-mutex", .n = 3);
	expect_holds("session-tree/bakery-mutex", .n = 2, .sessions = 3,
		     .passages = 2);
	expect_holds("session-tree/bakery-mutex", .n = 2, .sessions = 4);
}

TEST(every_group_exclusion_keeps_its_promises_over_tree_mutex)
{
	(void)state;
	expect_holds("jayanti-gme/tree-mutex", .n = 2, .passages = 2);
	expect_holds("danek-fcfs/tree-mutex", .n = 2, .passages = 2);
	expect_holds("danek-fife/tree-mutex", .n = 2, .passages = 2);
	expect_holds("capture-cas/tree-mutex", .n = 2, .passages = 2);
	expect_holds("capture-rw/tree-mutex", .n = 2, .passages = 2);
	expect_holds("capture-bounded/tree-mutex", .n = 2, .passages = 2);
	expect_holds("two-session/tree-mutex", .n = 2, .passages = 2);
	expect_holds("session-tree/tree-mutex", .n = 2, .sessions = 3);
}

TEST(group_exclusions_hold_with_three_processes_and_three_sessions)
{
	(void)state;
	expect_holds("jayanti-gme/queue-mutex", .n = 3, .sessions = 3,
		     .each = { 2, 1, 1 });
	expect_holds("danek-fcfs/queue-mutex", .n = 3, .sessions = 3,
		     .each = { 2, 1, 1 });
	expect_holds("danek-fife/queue-mutex", .n = 3, .sessions = 3);
	expect_holds("capture-cas/queue-mutex", .n = 3, .sessions = 3);
	expect_holds("capture-rw/queue-mutex", .n = 3, .sessions = 3);
	expect_holds("capture-bounded/queue-mutex", .n = 3, .sessions = 3);
}

TEST(group_exclusions_hold_with_three_processes_that_give_up)
{
	(void)state;
	expect_holds("jayanti-gme/queue-mutex", .n = 3, .each = { 2, 1, 1 },
		     .aborts = 1);
	expect_holds("danek-fcfs/queue-mutex", .n = 3, .each = { 2, 1, 1 },
		     .aborts = 1);
	expect_holds("danek-fife/queue-mutex", .n = 3, .aborts = 1);
	expect_holds("capture-cas/queue-mutex", .n = 3, .each = { 2, 1, 1 },
		     .aborts = 1);
	expect_holds("capture-rw/queue-mutex", .n = 3, .each = { 2, 1, 1 },
		     .aborts = 1);
	expect_holds("two-session/queue-mutex", .n = 3, .passages = 2,
		     .aborts = 1);
}

TEST(session_exclusion_refuses_captures_without_the_mutex)
{
	(void)state;
	expect_breaks("session-exclusion",
		      "capture-cas~all-capture/queue-mutex", .n = 3,
		      .each = { 2, 1, 1 }, .only = "session-exclusion");
	expect_breaks("session-exclusion", "capture-rw~all-capture/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion");
	expect_breaks("session-exclusion",
		      "capture-bounded~all-capture/queue-mutex", .n = 3,
		      .each = { 2, 1, 1 }, .only = "session-exclusion");
}

TEST(session_exclusion_refuses_captures_of_a_process_that_passes_twice)
{
	(void)state;
	expect_breaks("session-exclusion",
		      "capture-bounded~no-conflict-test/queue-mutex", .n = 3,
		      .each = { 3, 1, 1 }, .only = "session-exclusion");
	expect_breaks("session-exclusion", "capture-bounded~no-4/queue-mutex",
		      .n = 3, .each = { 3, 1, 1 }, .only = "session-exclusion");
	expect_breaks("session-exclusion",
		      "capture-bounded~gives-up/queue-mutex", .n = 3,
		      .each = { 3, 1, 1 }, .aborts = 2,
		      .only = "session-exclusion", .gigabytes = 8);
}

TEST(no_deadlock_refuses_a_status_read_once_or_kept_in_two_words)
{
	(void)state;
	expect_breaks("no-deadlock", "capture-bounded~two-words/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "no-deadlock",
		      .most_steps = 54);
	expect_breaks("no-deadlock", "capture-bounded~no-23/queue-mutex",
		      .n = 3, .each = { 3, 1, 1 }, .only = "no-deadlock",
		      .most_steps = 76);
	expect_holds("capture-bounded~no-23/queue-mutex", .n = 3,
		     .each = { 2, 1, 1 }, .only = "no-deadlock");
}

TEST(session_exclusion_refuses_a_passage_announced_too_early)
{
	(void)state;
	expect_breaks("session-exclusion",
		      "danek-fife~early-passage/queue-mutex", .n = 3,
		      .only = "session-exclusion");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			jayanti_gme_and_danek_fcfs_hold_with_two_passages_and_for_ever),
		cmocka_unit_test(
			danek_fife_keeps_its_promises_with_two_passages),
		cmocka_unit_test(
			capture_cas_keeps_its_promises_with_two_passages_and_for_ever),
		cmocka_unit_test(
			capture_rw_and_capture_bounded_keep_their_promises_with_two_passages),
		cmocka_unit_test(
			two_session_keeps_its_promises_with_two_passages_and_with_four_processes),
		cmocka_unit_test(
			session_tree_keeps_its_promises_with_three_processes),
		cmocka_unit_test(
			every_group_exclusion_keeps_its_promises_over_bakery_mutex),
		cmocka_unit_test(
			every_group_exclusion_keeps_its_promises_over_tree_mutex),
		cmocka_unit_test(
			group_exclusions_hold_with_three_processes_and_three_sessions),
		cmocka_unit_test(
			group_exclusions_hold_with_three_processes_that_give_up),
		cmocka_unit_test(
			session_exclusion_refuses_captures_without_the_mutex),
		cmocka_unit_test(
			session_exclusion_refuses_captures_of_a_process_that_passes_twice),
		cmocka_unit_test(
			no_deadlock_refuses_a_status_read_once_or_kept_in_two_words),
		cmocka_unit_test(
			session_exclusion_refuses_a_passage_announced_too_early),
	};

	return RUN(tests);
}
