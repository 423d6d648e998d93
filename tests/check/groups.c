/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks group exclusion over an abortable mutex: the promises of each
 * algorithm, the limits of these promises, and the properties that refuse the
 * broken twins. */
#include "check.h"

TEST(jayanti_gme_keeps_its_promises)
{
	(void)state;
	expect_holds("jayanti-gme/queue-mutex", .n = 3);
	expect_holds("jayanti-gme/queue-mutex", .n = 3, .sessions = 3);
	expect_holds("jayanti-gme/queue-mutex", .n = 3, .aborts = 1);
	expect_holds("jayanti-gme/queue-mutex", .n = 2, .passages = -1);
	expect_holds("jayanti-gme/bakery-mutex", .n = 2, .passages = 2);
	expect_holds("jayanti-gme/tree-mutex", .n = 2);
}

TEST(danek_fcfs_keeps_its_promises)
{
	(void)state;
	expect_holds("danek-fcfs/queue-mutex", .n = 3);
	expect_holds("danek-fcfs/queue-mutex", .n = 3, .sessions = 3);
	expect_holds("danek-fcfs/queue-mutex", .n = 3, .aborts = 1);
	expect_holds("danek-fcfs/queue-mutex", .n = 2, .passages = -1);
	expect_holds("danek-fcfs/bakery-mutex", .n = 2, .passages = 2);
	expect_holds("danek-fcfs/tree-mutex", .n = 2);
}

TEST(danek_fife_keeps_its_promises)
{
	(void)state;
	expect_holds("danek-fife/queue-mutex", .n = 3);
	expect_holds("danek-fife/queue-mutex", .n = 2, .sessions = 3,
		     .passages = 3, .aborts = 1);
	expect_holds("danek-fife/bakery-mutex", .n = 2, .passages = 2);
	expect_holds("danek-fife/tree-mutex", .n = 2);
}

TEST(capture_cas_keeps_its_promises)
{
	(void)state;
	expect_holds("capture-cas/queue-mutex", .n = 3);
	expect_holds("capture-cas/queue-mutex", .n = 2, .sessions = 3,
		     .passages = 3, .aborts = 1);
	expect_holds("capture-cas/queue-mutex", .n = 3, .aborts = 1);
	expect_holds("capture-cas/queue-mutex", .n = 2, .passages = -1);
	expect_holds("capture-cas/bakery-mutex", .n = 2, .passages = 2);
	expect_holds("capture-cas/tree-mutex", .n = 2);
}

TEST(capture_rw_keeps_its_promises)
{
	(void)state;
	expect_holds("capture-rw/queue-mutex", .n = 3);
	expect_holds("capture-rw/queue-mutex", .n = 2, .sessions = 3,
		     .passages = 3, .aborts = 1);
	expect_holds("capture-rw/bakery-mutex", .n = 2, .passages = 2);
	expect_holds("capture-rw/tree-mutex", .n = 2);
}

TEST(capture_bounded_keeps_its_promises)
{
	(void)state;
	expect_holds("capture-bounded/queue-mutex", .n = 3);
	expect_holds("capture-bounded/queue-mutex", .n = 2, .sessions = 3,
		     .passages = 3);
	expect_holds("capture-bounded/queue-mutex", .n = 2, .passages = -1);
	expect_holds("capture-bounded/bakery-mutex", .n = 2, .passages = 2);
	expect_holds("capture-bounded/tree-mutex", .n = 2);
}

TEST(two_session_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("two-session/queue-mutex", .n = 3, .passages = -1);
	expect_holds("two-session/queue-mutex", .n = 3, .aborts = 1);
	expect_holds("two-session/queue-mutex", .n = 3, .sessions = 1);
	expect_holds("two-session/bakery-mutex", .n = 3);
	expect_holds("two-session/tree-mutex", .n = 2);
}

TEST(session_tree_keeps_its_promises)
{
	(void)state;
	expect_holds("session-tree/queue-mutex", .n = 3, .sessions = 3);
	expect_holds("session-tree/queue-mutex", .n = 2, .sessions = 3,
		     .passages = -1);
	expect_holds("session-tree/queue-mutex", .n = 2, .sessions = 4,
		     .passages = -1);
	expect_holds("session-tree/queue-mutex", .n = 2, .sessions = 3,
		     .passages = 2, .aborts = 1);
	expect_holds("session-tree/bakery-mutex", .n = 2, .sessions = 4);
	expect_holds("session-tree/queue-mutex", .n = 3, .sessions = 1);
	expect_holds("session-tree/tree-mutex", .n = 2, .sessions = 2);
}

/* The limits of the promises. */

TEST(danek_fcfs_is_not_fife)
{
	(void)state;
	expect_breaks("fife", "danek-fcfs/queue-mutex", .n = 3, .only = "fife",
		      .most_steps = 21);
	expect_replays_file("fife", "danek-fcfs-fife.trace");
}

TEST(capturing_algorithms_do_not_keep_the_order_of_arrival)
{
	static const char all[] = "fcfs,fife,strong-concurrent-entering";

	(void)state;
	expect_breaks(all, "capture-cas/queue-mutex", .n = 3, .only = all);
	expect_breaks(all, "capture-rw/queue-mutex", .n = 3, .only = all);
	expect_breaks(all, "capture-bounded/queue-mutex", .n = 3, .only = all);
}

TEST(two_session_is_neither_fife_nor_strongly_concurrent)
{
	(void)state;
	expect_breaks("fife", "two-session/queue-mutex", .n = 3, .only = "fife",
		      .most_steps = 20);
	expect_breaks("strong-concurrent-entering", "two-session/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 },
		      .only = "strong-concurrent-entering");
	expect_holds("two-session/queue-mutex", .n = 3,
		     .only = "strong-concurrent-entering");
}

TEST(session_tree_does_not_keep_the_order_of_arrival)
{
	static const char all[] = "fcfs,fife,strong-concurrent-entering";

	(void)state;
	expect_breaks(all, "session-tree/queue-mutex", .n = 3, .sessions = 3,
		      .only = all);
	expect_holds("session-tree/queue-mutex", .n = 3, .sessions = 2,
		     .only = "fcfs");
}

TEST(one_crash_is_too_many)
{
	(void)state;
	expect_breaks("no-starvation", "jayanti-gme/queue-mutex", .n = 3,
		      .crashes = 1, .only = "no-starvation");
	expect_breaks("no-starvation", "danek-fife/queue-mutex", .n = 3,
		      .crashes = 1, .only = "no-starvation");
}

TEST(impossible_questions_are_refused)
{
	(void)state;
	expect_refused("cannot give up", "capture-bounded/queue-mutex", .n = 3,
		       .aborts = 1);
	expect_refused("takes at most 2", "two-session/queue-mutex", .n = 3,
		       .sessions = 3);
	expect_refused("k-ticket cannot be the component of jayanti-gme",
		       "jayanti-gme/k-ticket", .n = 3);
}

/* Broken twins. */

TEST(concurrent_entering_refuses_steps_in_another_order)
{
	(void)state;
	expect_breaks("strong-concurrent-entering",
		      "jayanti-gme~8-before-7/queue-mutex", .n = 3,
		      .each = { 1, 2, 1 }, .only = "strong-concurrent-entering",
		      .most_steps = 20);
	expect_breaks("concurrent-entering,strong-concurrent-entering",
		      "danek-fcfs~8-before-7/queue-mutex", .n = 3,
		      .only = "concurrent-entering,strong-concurrent-entering",
		      .most_steps = 19);
	expect_breaks("concurrent-entering,strong-concurrent-entering",
		      "danek-fcfs~20-before-18/queue-mutex", .n = 3,
		      .only = "concurrent-entering,strong-concurrent-entering",
		      .most_steps = 19);
}

TEST(fcfs_refuses_waiting_while_a_condition_holds_instead_of_until_it_changed)
{
	(void)state;
	expect_breaks("fcfs", "jayanti-gme~while/queue-mutex", .n = 3,
		      .only = "fcfs");
	expect_breaks("fcfs", "danek-fcfs~while/queue-mutex", .n = 3,
		      .only = "fcfs");
}

TEST(session_exclusion_refuses_a_passage_announced_too_early)
{
	(void)state;
	expect_replays_file("session-exclusion",
			    "danek-fife-early-passage.trace");
}

TEST(fife_refuses_a_capture_without_a_second_read)
{
	(void)state;
	expect_replays_file("fife", "danek-fife-no-reread.trace");
	expect_holds("danek-fife~no-reread/queue-mutex", .n = 3,
		     .only = "fife");
}

TEST(session_exclusion_refuses_a_process_that_does_not_wait_again)
{
	(void)state;
	expect_breaks("session-exclusion",
		      "capture-cas~no-second-wait/queue-mutex", .n = 3,
		      .only = "session-exclusion");
	expect_breaks("session-exclusion",
		      "capture-rw~no-second-wait/queue-mutex", .n = 3,
		      .only = "session-exclusion");
	expect_breaks("session-exclusion",
		      "capture-bounded~no-second-wait/queue-mutex", .n = 3,
		      .only = "session-exclusion");
}

TEST(session_exclusion_refuses_captures_without_the_mutex)
{
	(void)state;
	expect_replays_file("session-exclusion",
			    "capture-cas-all-capture.trace");
	expect_replays_file("session-exclusion",
			    "capture-rw-all-capture.trace");
	expect_replays_file("session-exclusion",
			    "capture-bounded-all-capture.trace");
}

TEST(concurrent_entering_refuses_a_late_capture)
{
	(void)state;
	expect_breaks("concurrent-entering",
		      "capture-cas~plain-write/queue-mutex", .n = 3,
		      .each = { 2, 1, 1 }, .only = "concurrent-entering",
		      .most_steps = 41);
}

TEST(one_bit_is_not_enough_without_line_4_or_the_test_at_29)
{
	(void)state;
	expect_replays_file("session-exclusion", "capture-bounded-no-4.trace");
	expect_replays_file("session-exclusion",
			    "capture-bounded-no-conflict-test.trace");
}

TEST(one_bit_is_not_enough_for_a_process_that_gives_up)
{
	(void)state;
	expect_replays_file("session-exclusion",
			    "capture-bounded-gives-up.trace");
	expect_holds("capture-bounded~gives-up/queue-mutex", .n = 2,
		     .passages = 3, .aborts = 2);
}

TEST(no_deadlock_refuses_a_status_that_is_not_atomic)
{
	(void)state;
	expect_breaks("no-deadlock", "capture-bounded~late-reset/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "no-deadlock",
		      .most_steps = 46);
	expect_replays_file("no-deadlock", "capture-bounded-two-words.trace");
	expect_replays_file("no-deadlock", "capture-bounded-no-23.trace");
}

TEST(session_exclusion_refuses_gates_opened_too_late)
{
	(void)state;
	expect_breaks("session-exclusion", "two-session~no-8/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 31);
	expect_breaks("session-exclusion", "two-session~no-4-7/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 30);
	expect_breaks("session-exclusion", "two-session~no-tag/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 34);
	expect_breaks("session-exclusion", "two-session~plain-open/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 33);
	expect_breaks("session-exclusion", "two-session~no-21/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 33);
	expect_breaks("session-exclusion", "two-session~tag-0/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 34);
	expect_breaks("session-exclusion", "two-session~late-3/queue-mutex",
		      .n = 3, .each = { 2, 1, 1 }, .only = "session-exclusion",
		      .most_steps = 34);
}

TEST(gates_opened_too_late_replay)
{
	(void)state;
	expect_replays_file("session-exclusion", "two-session-no-8.trace");
	expect_replays_file("session-exclusion", "two-session-no-4-7.trace");
	expect_replays_file("session-exclusion", "two-session-no-tag.trace");
	expect_replays_file("session-exclusion",
			    "two-session-plain-open.trace");
	expect_replays_file("session-exclusion", "two-session-no-21.trace");
	expect_replays_file("session-exclusion", "two-session-tag-0.trace");
	expect_replays_file("session-exclusion", "two-session-late-3.trace");
}

TEST(gates_opened_too_late_need_three_processes)
{
	(void)state;
	expect_holds("two-session~no-8/queue-mutex", .n = 2, .passages = 3);
	expect_holds("two-session~no-4-7/queue-mutex", .n = 2, .passages = 3);
	expect_holds("two-session~tag-0/queue-mutex", .n = 2, .passages = 3);
}

TEST(session_exclusion_refuses_halves_that_overlap)
{
	(void)state;
	expect_breaks("session-exclusion",
		      "session-tree~printed-half/queue-mutex", .n = 2,
		      .sessions = 4, .only = "session-exclusion");
	expect_breaks("session-exclusion",
		      "session-tree~printed-half/queue-mutex", .n = 2,
		      .sessions = 2, .only = "session-exclusion");
}

TEST(no_lost_wake_refuses_barricades_removed_without_a_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "capture-cas~no-wake-33/queue-mutex",
		      .n = 3,
		      .holds = "session-exclusion,no-deadlock,no-starvation,"
			       "concurrent-entering,bounded-leave,quiescence");
	expect_breaks("no-lost-wake", "capture-rw~no-wake-38/queue-mutex",
		      .n = 3, .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "capture-bounded~no-wake-40/queue-mutex",
		      .n = 3, .only = "no-lost-wake");
}

TEST(no_lost_wake_refuses_captures_without_a_wake)
{
	(void)state;
	expect_replays_file("no-lost-wake", "capture-cas-no-wake-27.trace");
	expect_replays_file("no-lost-wake", "capture-rw-no-wake-31.trace");
	expect_replays_file("no-lost-wake", "capture-bounded-no-wake-33.trace");
}

/*
 * A waiter of the group algorithm is also in the queue of the mutex, and the
 * mutex wakes the waiter in the end, even if the group algorithm does not.
 * Therefore these tests use a mutex that wakes no process: the group algorithm
 * itself must then wake its waiters.
 */
#define SILENT "/bakery-mutex/k-bakery~no-wake"
/* The promises that all group algorithms over a mutex have in common, without
 * prompt-wake. */
#define ALL_BUT_PROMPT_WAKE                                          \
	"session-exclusion,fcfs,concurrent-entering,no-deadlock,"    \
	"no-starvation,bounded-doorway,bounded-leave,bounded-abort," \
	"no-lost-wake,quiescence"

TEST(two_processes_need_no_wake_from_the_mutex)
{
	(void)state;
	expect_holds("jayanti-gme" SILENT, .n = 2, .passages = 2,
		     .only = ALL_BUT_PROMPT_WAKE);
	expect_holds("danek-fcfs" SILENT, .n = 2, .passages = 2,
		     .only = ALL_BUT_PROMPT_WAKE);
	expect_holds("danek-fife" SILENT, .n = 2, .passages = 2,
		     .only = ALL_BUT_PROMPT_WAKE);
	expect_holds("two-session" SILENT, .n = 2, .passages = 2,
		     .only = ALL_BUT_PROMPT_WAKE);
}

TEST(three_processes_need_a_wake_from_the_mutex)
{
	(void)state;
	expect_breaks("no-lost-wake", "two-session" SILENT, .n = 3,
		      .only = "no-lost-wake");
}

/* Line 6 is a compare-and-swap only because this reduces the cost. */
TEST(two_session_holds_if_line_6_is_a_plain_write)
{
	(void)state;
	expect_holds("two-session~plain-6/queue-mutex", .n = 3);
}

/* Section 6.1.3 of the thesis says that exclusion needs the other test. */
TEST(two_session_holds_if_line_19_tests_only_for_a_waiter)
{
	(void)state;
	expect_holds("two-session~not-last/queue-mutex", .n = 3,
		     .each = { 2, 1, 1 });
}

/* The session of a process may have the same value again before a waiter
 * compares it. */
TEST(prompt_wake_refuses_a_waiter_that_compares_only_the_session)
{
	(void)state;
	expect_breaks("prompt-wake", "jayanti-gme~session-only/bakery-mutex",
		      .n = 2, .passages = 2,
		      .holds = "session-exclusion,no-lost-wake,no-starvation");
}

TEST(prompt_wake_refuses_leaving_without_a_wake_over_any_mutex)
{
	(void)state;
	expect_breaks("prompt-wake", "jayanti-gme~no-wake/queue-mutex", .n = 3,
		      .only = "no-lost-wake,prompt-wake",
		      .holds = "no-lost-wake", .whole = true);
	expect_breaks("prompt-wake", "danek-fcfs~no-wake-20/queue-mutex",
		      .n = 2, .holds = "no-lost-wake");
	expect_breaks("prompt-wake", "danek-fife~no-wake-32/queue-mutex",
		      .n = 2, .holds = "no-lost-wake");
	expect_breaks("prompt-wake", "two-session~no-wake-22/queue-mutex",
		      .n = 2, .holds = "no-lost-wake");
}

TEST(no_lost_wake_refuses_leaving_without_a_wake_over_a_mutex_without_wakes)
{
	(void)state;
	expect_breaks("no-lost-wake", "jayanti-gme~no-wake" SILENT, .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "danek-fcfs~no-wake-20" SILENT, .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "danek-fife~no-wake-32" SILENT, .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "two-session~no-wake-22" SILENT, .n = 2,
		      .only = "no-lost-wake");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jayanti_gme_keeps_its_promises),
		cmocka_unit_test(danek_fcfs_keeps_its_promises),
		cmocka_unit_test(danek_fife_keeps_its_promises),
		cmocka_unit_test(capture_cas_keeps_its_promises),
		cmocka_unit_test(capture_rw_keeps_its_promises),
		cmocka_unit_test(capture_bounded_keeps_its_promises),
		cmocka_unit_test(two_session_keeps_its_promises_for_ever),
		cmocka_unit_test(session_tree_keeps_its_promises),
		cmocka_unit_test(danek_fcfs_is_not_fife),
		cmocka_unit_test(
			capturing_algorithms_do_not_keep_the_order_of_arrival),
		cmocka_unit_test(
			two_session_is_neither_fife_nor_strongly_concurrent),
		cmocka_unit_test(
			session_tree_does_not_keep_the_order_of_arrival),
		cmocka_unit_test(one_crash_is_too_many),
		cmocka_unit_test(impossible_questions_are_refused),
		cmocka_unit_test(
			concurrent_entering_refuses_steps_in_another_order),
		cmocka_unit_test(
			fcfs_refuses_waiting_while_a_condition_holds_instead_of_until_it_changed),
		cmocka_unit_test(
			session_exclusion_refuses_a_passage_announced_too_early),
		cmocka_unit_test(fife_refuses_a_capture_without_a_second_read),
		cmocka_unit_test(
			session_exclusion_refuses_a_process_that_does_not_wait_again),
		cmocka_unit_test(
			session_exclusion_refuses_captures_without_the_mutex),
		cmocka_unit_test(concurrent_entering_refuses_a_late_capture),
		cmocka_unit_test(
			one_bit_is_not_enough_without_line_4_or_the_test_at_29),
		cmocka_unit_test(
			one_bit_is_not_enough_for_a_process_that_gives_up),
		cmocka_unit_test(
			no_deadlock_refuses_a_status_that_is_not_atomic),
		cmocka_unit_test(
			session_exclusion_refuses_gates_opened_too_late),
		cmocka_unit_test(gates_opened_too_late_replay),
		cmocka_unit_test(gates_opened_too_late_need_three_processes),
		cmocka_unit_test(session_exclusion_refuses_halves_that_overlap),
		cmocka_unit_test(
			no_lost_wake_refuses_barricades_removed_without_a_wake),
		cmocka_unit_test(no_lost_wake_refuses_captures_without_a_wake),
		cmocka_unit_test(two_processes_need_no_wake_from_the_mutex),
		cmocka_unit_test(three_processes_need_a_wake_from_the_mutex),
		cmocka_unit_test(two_session_holds_if_line_6_is_a_plain_write),
		cmocka_unit_test(
			two_session_holds_if_line_19_tests_only_for_a_waiter),
		cmocka_unit_test(
			prompt_wake_refuses_a_waiter_that_compares_only_the_session),
		cmocka_unit_test(
			prompt_wake_refuses_leaving_without_a_wake_over_any_mutex),
		cmocka_unit_test(
			no_lost_wake_refuses_leaving_without_a_wake_over_a_mutex_without_wakes),
	};

	return RUN(tests);
}
