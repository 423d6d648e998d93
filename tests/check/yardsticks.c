/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the locks with which the literature compares others: their promises,
 * most of them for unbounded passages, and the properties that refuse their
 * broken twins. */
#include "check.h"

TEST(mcs_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("mcs", .n = 1, .passages = -1);
	expect_holds("mcs", .n = 3, .passages = -1);
	expect_holds("mcs", .n = 4, .passages = -1);
	expect_holds("mcs", .n = 4, .passages = 2);
}

TEST(a_leaver_of_mcs_may_wait_for_its_successor)
{
	(void)state;
	expect_breaks("bounded-leave", "mcs", .n = 2, .only = "bounded-leave",
		      .most_steps = 6);
	expect_breaks("no-starvation", "mcs", .n = 2, .crashes = 1,
		      .only = "no-starvation", .most_steps = 6);
}

TEST(no_deadlock_refuses_an_mcs_that_loses_its_successor)
{
	(void)state;
	expect_breaks("no-deadlock", "mcs~no-M8", .n = 2, .most_steps = 8,
		      .holds = "at-most-k,fcfs,quiescence,bounded-doorway");
	expect_breaks("no-deadlock", "mcs~4-before-3", .n = 2, .most_steps = 8,
		      .holds = "at-most-k,fcfs,quiescence,bounded-doorway");
	expect_breaks("no-deadlock,invariant", "mcs~M7-write", .n = 2,
		      .only = "no-deadlock,invariant,at-most-k",
		      .holds = "at-most-k");
	expect_breaks("no-deadlock,quiescence", "mcs~no-M1", .n = 2,
		      .passages = 2, .only = "no-deadlock,quiescence");
}

TEST(no_lost_wake_refuses_both_missing_wakes_of_mcs)
{
	static const char others[] = "at-most-k,fcfs,no-deadlock,"
				     "no-starvation,bounded-doorway,quiescence,"
				     "invariant";

	(void)state;
	expect_breaks("no-lost-wake", "mcs~no-wake", .n = 2, .holds = others);
	expect_breaks("no-lost-wake", "mcs~no-wake-4", .n = 2, .holds = others);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mcs_keeps_its_promises_for_ever),
		cmocka_unit_test(a_leaver_of_mcs_may_wait_for_its_successor),
		cmocka_unit_test(
			no_deadlock_refuses_an_mcs_that_loses_its_successor),
		cmocka_unit_test(
			no_lost_wake_refuses_both_missing_wakes_of_mcs),
	};

	return RUN(tests);
}
