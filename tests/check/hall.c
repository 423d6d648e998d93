/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks hall and hall-atomic: their promises, the limits of these promises, and
 * the properties that refuse their twins.  The twins are twins of hall-atomic,
 * which has the same code at the gate and fewer states. */
#include "check.h"

TEST(hall_keeps_its_promises)
{
	(void)state;
	expect_holds("hall", .n = 1, .passages = 3, .deaths = 1, .aborts = 1);
	expect_holds("hall", .n = 2);
	expect_holds("hall", .n = 2, .each = { 2, 1 });
	expect_holds("hall", .n = 2, .aborts = 1);
}

TEST(hall_keeps_its_promises_with_a_tree_of_one_large_step)
{
	(void)state;
	expect_holds("hall-atomic", .n = 2, .passages = 2);
	expect_holds("hall-atomic", .n = 2, .each = { 3, 1 });
	expect_holds("hall-atomic", .n = 2, .each = { 2, 1 }, .aborts = 1);
	expect_holds("hall-atomic", .n = 2, .each = { 2, 1 }, .deaths = 1);
	expect_holds("hall-atomic", .n = 2, .aborts = 1, .deaths = 1);
}

/* Four of the mistakes that the twins below repeat show only with three
 * processes, as a lost wake-up. */
TEST(three_processes_lose_no_wake_up)
{
	(void)state;
	expect_holds("hall-atomic", .n = 3, .only = "no-lost-wake",
		     .seconds = 600);
}

/* The limits of the promises. */

TEST(hall_has_no_limit)
{
	(void)state;
	expect_refused("k", "hall", .n = 2, .k = 1);
	expect_refused("resize", "hall", .n = 2, .resize = { 1 });
}

TEST(one_crash_is_too_many)
{
	(void)state;
	expect_breaks("no-starvation", "hall-atomic", .n = 2, .crashes = 1,
		      .holds = "session-exclusion,fcfs,fife");
}

/* A waiter may be admitted by a process that has not woken it yet. */
TEST(an_admitted_process_may_sleep_until_its_admission_is_finished)
{
	(void)state;
	expect_breaks("prompt-wake", "hall-atomic", .n = 2,
		      .only = "prompt-wake");
}

/* Broken twins. */

TEST(the_short_way_looks_at_the_tree_and_twice_at_the_gate)
{
	(void)state;
	expect_breaks("fcfs", "hall-atomic~no-E2", .n = 2, .each = { 2, 1 });
	expect_breaks("session-exclusion", "hall-atomic~no-E4", .n = 2,
		      .passages = 2, .only = "session-exclusion");
	expect_breaks("invariant", "hall-atomic~fast-in-drain", .n = 3,
		      .aborts = 1, .only = "invariant");
}

TEST(a_new_session_waits_until_the_hall_is_empty)
{
	(void)state;
	expect_breaks("session-exclusion", "hall-atomic~no-drain", .n = 2,
		      .passages = 2, .only = "session-exclusion");
	expect_breaks("session-exclusion", "hall-atomic~skip-self", .n = 2);
	expect_breaks("session-exclusion", "hall-atomic~no-T11", .n = 2,
		      .each = { 2, 1 }, .aborts = 1,
		      .only = "session-exclusion");
	expect_breaks("concurrent-entering", "hall-atomic~no-FS", .n = 2,
		      .passages = 2, .only = "concurrent-entering");
}

TEST(an_admission_is_finished_once)
{
	(void)state;
	expect_breaks("session-exclusion", "hall-atomic~no-T2B", .n = 2,
		      .each = { 3, 1 }, .only = "session-exclusion");
	expect_breaks("session-exclusion", "hall-atomic~one-record", .n = 2,
		      .passages = 2, .only = "session-exclusion");
}

TEST(a_registration_that_ends_changes_the_gate)
{
	(void)state;
	expect_breaks("session-exclusion", "hall-atomic~no-withdraw", .n = 2,
		      .each = { 2, 1 }, .aborts = 1,
		      .only = "session-exclusion");
	expect_breaks("quiescence", "hall-atomic~no-B3", .n = 2,
		      .each = { 2, 1 }, .aborts = 1, .only = "quiescence");
	expect_breaks("quiescence", "hall-atomic~recover-no-withdraw", .n = 2,
		      .each = { 2, 1 }, .deaths = 1, .only = "quiescence");
}

TEST(whoever_has_the_duty_looks_again)
{
	(void)state;
	expect_breaks("no-lost-wake", "hall-atomic~no-L2", .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~L2-before-L1", .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~no-wake", .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~no-T5-refresh", .n = 2,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~no-T5r", .n = 3, .aborts = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~drops-duty", .n = 3,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~own-T5", .n = 3,
		      .only = "no-lost-wake");
}

TEST(a_recoverer_does_what_the_dead_member_had_to_do)
{
	(void)state;
	expect_breaks("no-lost-wake", "hall-atomic~no-V4", .n = 2, .deaths = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~no-V5", .n = 3, .deaths = 1,
		      .only = "no-lost-wake");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hall_keeps_its_promises),
		cmocka_unit_test(
			hall_keeps_its_promises_with_a_tree_of_one_large_step),
		cmocka_unit_test(three_processes_lose_no_wake_up),
		cmocka_unit_test(hall_has_no_limit),
		cmocka_unit_test(one_crash_is_too_many),
		cmocka_unit_test(
			an_admitted_process_may_sleep_until_its_admission_is_finished),
		cmocka_unit_test(
			the_short_way_looks_at_the_tree_and_twice_at_the_gate),
		cmocka_unit_test(a_new_session_waits_until_the_hall_is_empty),
		cmocka_unit_test(an_admission_is_finished_once),
		cmocka_unit_test(a_registration_that_ends_changes_the_gate),
		cmocka_unit_test(whoever_has_the_duty_looks_again),
		cmocka_unit_test(
			a_recoverer_does_what_the_dead_member_had_to_do),
	};

	return RUN(tests);
}
