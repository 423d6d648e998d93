/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks hall and hall-atomic: their promises, the limits of these promises, and
 * the properties that refuse their twins.  The twins are twins of hall-atomic,
 * which has the same code at the gate and fewer states. */
#include "check.h"

#include "tests/common/size.h"

TEST(hall_keeps_its_promises)
{
	(void)state;
	expect_holds("hall", .n = 1, .passages = 3, .deaths = 1, .aborts = 1);
	expect_holds("hall", .n = 2, .each = { 2, 1 });
}

TEST(hall_keeps_its_promises_with_a_tree_of_one_large_step)
{
	(void)state;
	expect_holds("hall-atomic", .n = 2, .passages = 2);
	expect_holds("hall-atomic", .n = 2, .each = { 3, 1 });
	expect_holds("hall-atomic", .n = 2, .each = { 2, 1 }, .aborts = 1);
}

/* Even the smallest of these instances take seconds. */
TEST(hall_keeps_its_promises_when_members_give_up_or_die)
{
	(void)state;
	if (size_is_small())
		return;
	expect_holds("hall", .n = 2, .aborts = 1);
	expect_holds("hall-atomic", .n = 2, .aborts = 1, .deaths = 1);
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

/* A process may have admitted a waiter and not have woken it yet. */
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

/* These schedules refuse the twins whose instances are too large for make
 * test. */
TEST(a_schedule_refuses_each_twin_of_a_large_instance)
{
	static const struct {
		const char *property, *schedule;
	} refused[] = {
		{ "session-exclusion",
		  "hall-atomic~one-record n=2 m=2 passages=2,2 "
		  "property=session-exclusion : 0@1 0*21 0@2 0*2 1@1 1*3 0*10 "
		  "1*4 0*6" },
		{ "session-exclusion",
		  "hall-atomic~no-drain n=2 m=2 passages=2,2 "
		  "property=session-exclusion : 0@1 0*20 1@2 1 0*5 0@1 0*4 "
		  "1*14 0*2 1*7" },
		{ "session-exclusion",
		  "hall-atomic~no-E4 n=2 m=2 passages=2,2 "
		  "property=session-exclusion : 0@1 0*21 1@2 1 0*5 0@1 0*4 "
		  "1*15 0 1*7" },
		{ "fcfs",
		  "hall-atomic~no-E2 n=2 m=2 passages=2,1 property=fcfs : 0@1 "
		  "0*20 1@2 0*6 1*6 0@1 0*6" },
		{ "concurrent-entering",
		  "hall-atomic~no-FS n=2 m=2 passages=2,2 "
		  "property=concurrent-entering : 0@1 0*13 1@2 0*13 0@2 0*5 1 "
		  "0*11 1*5 0" },
		{ "session-exclusion",
		  "hall-atomic~no-T11 n=2 m=2 passages=2,1 aborts=1 "
		  "property=session-exclusion : 0@1 0*7 1@1 1*10 0a 0*2 1*3 "
		  "0*2 0@2 0*3 1*8 0*4 1*12 0*2 1*7" },
		{ "session-exclusion",
		  "hall-atomic~no-withdraw n=2 m=2 passages=2,1 aborts=1 "
		  "property=session-exclusion : 1@1 1*19 0@1 0*6 1*6 0a 0 0@2 "
		  "0*2 1*2 0*5 1 0*6 1" },
		{ "quiescence",
		  "hall-atomic~no-B3 n=2 m=2 passages=2,1 aborts=1 "
		  "property=quiescence : 0@1 0*7 0a 1@1 1 0*3 1*5 0*9 1a 1*2 "
		  "0*2 1" },
		{ "quiescence",
		  "hall-atomic~recover-no-withdraw n=2 m=2 passages=2,1 "
		  "deaths=1 property=quiescence : 0@1 0*21 1@1 1*5 0*6 1d 1*4 "
		  "0*4 1*4" },
		{ "no-lost-wake",
		  "hall-atomic~no-V4 n=2 m=2 passages=1,1 deaths=1 wakes : "
		  "0@1 0*18 1@1 1*8 0 1*2 0 0d 0 1*4 0*6 1" },
		{ "session-exclusion",
		  "hall-atomic~no-T2B n=2 m=2 passages=3,1 "
		  "property=session-exclusion : 0@1 0*20 1@1 1*8 0*11 0@1 "
		  "0*25 0@2 0*5 1*2 0*4 1*4" },
		{ "no-lost-wake",
		  "hall-atomic~own-T5 n=3 m=2 passages=1,1,1 wakes : 0@1 0*26 "
		  "1@1 1*6 2@2 2*14 1*14 2*7 1*2 2*5" },
		{ "no-lost-wake",
		  "hall-atomic~drops-duty n=3 m=2 passages=1,1,1 wakes : 0@1 "
		  "0*19 1@1 1*16 2@1 2*8 1 0*2 1*14 0*11 1*2 2*7 1*2 2" },
		{ "no-lost-wake",
		  "hall-atomic~no-V5 n=3 m=2 passages=1,1,1 deaths=1 wakes : "
		  "0@1 0*27 1@1 1*7 2@2 2*18 1*11 2*2 1 1d 1*14" },
		{ "no-lost-wake",
		  "hall-atomic~no-T5r n=3 m=2 passages=1,1,1 aborts=1 wakes : "
		  "0@1 0*19 1@1 1*8 0 1*5 2@1 2*6 2a 2 0*2 1*2 2*3 0*8 2" },
		{ "invariant",
		  "hall-atomic~fast-in-drain n=3 m=2 passages=1,1,1 aborts=1 "
		  "property=invariant : 0@1 0*25 1@2 1*17 0*10 1a 1 2@1 2*7 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		expect_replays(refused[i].property, refused[i].schedule);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hall_keeps_its_promises),
		cmocka_unit_test(
			hall_keeps_its_promises_with_a_tree_of_one_large_step),
		cmocka_unit_test(
			hall_keeps_its_promises_when_members_give_up_or_die),
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
		cmocka_unit_test(
			a_schedule_refuses_each_twin_of_a_large_instance),
	};

	return RUN(tests);
}
