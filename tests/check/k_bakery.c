/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the three forms of the k-bakery: their promises, the limits of these
 * promises, and the properties that refuse their twins. */
#include "check.h"

TEST(k_bakery_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 1, .passages = 2);
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = 2);
}

TEST(k_bakery_can_give_up)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 1, .each = { 2, 1, 1 },
		     .aborts = 1);
	expect_holds("k-bakery", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .aborts = 1);
}

TEST(k_bakery_recovers_the_dead)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 1, .each = { 2, 2, 1 },
		     .deaths = 1);
	expect_holds("k-bakery", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .deaths = 2);
}

TEST(k_bakery_is_fife_up_to_k_plus_1_processes)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = 2, .also = "fife");
}

TEST(k_bakery_is_not_fife)
{
	(void)state;
	expect_breaks("fife", "k-bakery", .n = 4, .k = 2, .only = "fife");
}

TEST(k_bakery_fife_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("k-bakery-fife", .n = 3, .k = 1, .passages = 2);
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .each = { 2, 2, 1 });
}

TEST(k_bakery_fife_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "k-bakery-fife", .n = 3, .k = 2,
		      .crashes = 2, .holds = "at-most-k,fife,no-deadlock");
}

TEST(k_bakery_fife_can_give_up)
{
	(void)state;
	expect_holds("k-bakery-fife", .n = 3, .k = 1, .each = { 2, 1, 1 },
		     .aborts = 1);
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .aborts = 1);
}

TEST(k_bakery_fife_recovers_the_dead)
{
	(void)state;
	expect_holds("k-bakery-fife", .n = 3, .k = 1, .each = { 2, 1, 1 },
		     .deaths = 1);
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .deaths = 1);
}

TEST(k_bakery_fife_needs_its_first_announcement)
{
	(void)state;
	expect_breaks("at-most-k", "k-bakery-fife~no-14", .n = 3, .k = 1,
		      .only = "at-most-k", .most_steps = 22);
	expect_breaks("k-fcfs", "k-bakery-fife~no-14", .n = 3, .k = 1,
		      .only = "k-fcfs", .most_steps = 14, .whole = true);
}

TEST(k_bakery_fife_needs_its_captures)
{
	(void)state;
	expect_breaks("fife", "k-bakery-fife~no-23", .n = 4, .k = 2,
		      .only = "fife", .most_steps = 25);
}

TEST(k_bakery_safe_keeps_its_promises_over_safe_registers)
{
	(void)state;
	expect_holds("k-bakery-safe", .n = 2, .k = 1, .passages = 3);
	expect_holds("k-bakery-safe", .n = 3, .k = 1);
}

TEST(k_bakery_safe_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("k-bakery-safe", .n = 3, .k = 2,
		     .only = "no-starvation,no-deadlock");
}

TEST(k_bakery_safe_can_give_up)
{
	(void)state;
	expect_holds("k-bakery-safe", .n = 2, .k = 1, .passages = 3,
		     .aborts = 1);
}

TEST(k_bakery_safe_does_not_recover_the_dead)
{
	(void)state;
	expect_refused("recover", "k-bakery-safe", .n = 2, .deaths = 1);
}

TEST(figure_3_as_printed_lets_in_too_many_by_old_captures)
{
	(void)state;
	expect_replays_file("at-most-k", "k-bakery-safe-stale-capture.trace");
	expect_replays_file("at-most-k",
			    "k-bakery-safe-stale-capture-n4-k2.trace");
	/* at-most-k is violated only if a process makes a second passage. */
	expect_holds("k-bakery-safe~literal", .n = 3, .k = 1,
		     .only = "at-most-k");
}

TEST(k_bakery_safe_reads_its_copies_backwards)
{
	(void)state;
	expect_breaks("at-most-k", "k-bakery-safe~same-order", .n = 3, .k = 1,
		      .only = "at-most-k", .most_steps = 80);
}

TEST(k_bakery_safe_does_not_capture_twice)
{
	(void)state;
	expect_replays_file("fife", "k-bakery-safe-captured-again.trace");
}

TEST(every_raise_and_every_withdrawal_needs_its_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "k-bakery~no-wake-16", .n = 2, .k = 1,
		      .most_steps = 10,
		      .holds = "at-most-k,k-fcfs,no-deadlock,no-starvation,"
			       "bounded-doorway,bounded-leave,bounded-abort,"
			       "quiescence");
	expect_breaks("no-lost-wake", "k-bakery-safe~no-wake-33", .n = 2,
		      .k = 1,
		      .holds = "at-most-k,fife,no-deadlock,"
			       "no-starvation,quiescence");
	expect_breaks("no-lost-wake", "k-bakery-safe~no-wake-48", .n = 2,
		      .k = 1,
		      .holds = "at-most-k,fife,no-deadlock,"
			       "no-starvation,quiescence");
	/* Without the wake at line 23, process 0 continues to sleep although
	 * process 1 has captured it. */
	expect_replays("prompt-wake",
		       "k-bakery-fife~no-wake-23 n=4 k=2 crashes=1 wakes "
		       "property=prompt-wake : 0*11 1*16 2 0 3 0*4 1");
	/* After a torn read of the second copy, the process sleeps on the first
	 * copy. */
	expect_breaks("no-lost-wake", "k-bakery-safe~half-wake", .n = 2, .k = 1,
		      .holds = "at-most-k,fife,no-deadlock,"
			       "no-starvation,quiescence");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(k_bakery_survives_k_minus_1_crashes),
		cmocka_unit_test(k_bakery_can_give_up),
		cmocka_unit_test(k_bakery_recovers_the_dead),
		cmocka_unit_test(k_bakery_is_fife_up_to_k_plus_1_processes),
		cmocka_unit_test(k_bakery_is_not_fife),
		cmocka_unit_test(k_bakery_fife_survives_k_minus_1_crashes),
		cmocka_unit_test(k_bakery_fife_does_not_survive_k_crashes),
		cmocka_unit_test(k_bakery_fife_can_give_up),
		cmocka_unit_test(k_bakery_fife_recovers_the_dead),
		cmocka_unit_test(k_bakery_fife_needs_its_first_announcement),
		cmocka_unit_test(k_bakery_fife_needs_its_captures),
		cmocka_unit_test(
			k_bakery_safe_keeps_its_promises_over_safe_registers),
		cmocka_unit_test(k_bakery_safe_survives_k_minus_1_crashes),
		cmocka_unit_test(k_bakery_safe_can_give_up),
		cmocka_unit_test(k_bakery_safe_does_not_recover_the_dead),
		cmocka_unit_test(
			figure_3_as_printed_lets_in_too_many_by_old_captures),
		cmocka_unit_test(k_bakery_safe_reads_its_copies_backwards),
		cmocka_unit_test(k_bakery_safe_does_not_capture_twice),
		cmocka_unit_test(
			every_raise_and_every_withdrawal_needs_its_wake),
	};

	return RUN(tests);
}
