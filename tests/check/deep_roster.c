/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks roster longer than `make test` does.  Some of the checks are stopped
 * after ten minutes, even if the search is not complete.
 */
#include "check.h"

#define SAFETY "at-most-k,unique-slots,k-fcfs,quiescence,invariant"

/* All properties except bounds on steps and no-lost-wake.  The counters of the
 * bounds would multiply the states; wakes are checked separately. */
#define MOST SAFETY ",no-deadlock,no-starvation,fife"

TEST(roster_can_give_up)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 2, .aborts = 1);
	expect_holds("roster", .n = 2, .k = 1, .passages = 3, .aborts = 1);
}

TEST(roster_recovers_the_dead)
{
	(void)state;
	expect_holds("roster", .n = 2, .k = 1, .passages = 2, .deaths = 2,
		     .aborts = 1);
	expect_holds("roster", .n = 3, .k = 2, .deaths = 1, .only = MOST);
	expect_holds("roster", .n = 3, .k = 2, .deaths = 1,
		     .only = "no-lost-wake");
	/* With 20 GB and a quarter of an hour these searches complete, and the
	 * properties hold. */
	expect_no_violation("roster", .n = 3, .k = 1, .deaths = 1,
			    .only = SAFETY, .seconds = 600, .gigabytes = 10);
	expect_no_violation("roster", .n = 3, .k = 1, .deaths = 1, .only = MOST,
			    .seconds = 600, .gigabytes = 10);
}

TEST(roster_keeps_its_promises_with_three_processes)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 1, .only = MOST, .gigabytes = 4);
	expect_holds("roster", .n = 3, .k = 1, .only = "no-lost-wake",
		     .gigabytes = 4);
	expect_holds("roster", .n = 3, .k = 1, .only = "bounded-doorway",
		     .gigabytes = 4);
	for (unsigned p = 0; p < 3; p++)
		expect_holds("roster", .n = 3, .k = 1, .only = "bounded-leave",
			     .steps_of = 1u << p, .gigabytes = 6);
	expect_no_violation("roster", .n = 4, .k = 2, .only = MOST,
			    .seconds = 600, .gigabytes = 10);
}

TEST(roster_keeps_its_promises_with_three_processes_that_give_up)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 1, .aborts = 1, .only = SAFETY,
		     .gigabytes = 8);
	expect_holds("roster", .n = 3, .k = 1, .aborts = 1, .only = "fife",
		     .gigabytes = 8);
	expect_holds("roster", .n = 3, .k = 1, .aborts = 1,
		     .only = "no-lost-wake", .gigabytes = 8);
	expect_holds("roster", .n = 3, .k = 1, .aborts = 1,
		     .only = "no-deadlock,no-starvation", .gigabytes = 12);
	expect_holds("roster", .n = 3, .k = 1, .aborts = 1,
		     .only = "bounded-doorway", .gigabytes = 10);
	for (unsigned p = 0; p < 3; p++)
		expect_holds("roster", .n = 3, .k = 1, .aborts = 1,
			     .only = "bounded-abort", .steps_of = 1u << p,
			     .gigabytes = 10);
}

TEST(roster_changes_its_k_again_and_again)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 1, .resize = { 2, 1 });
	expect_holds("roster", .n = 3, .k = 2, .resize = { 1, 2 });
	expect_no_violation("roster", .n = 3, .k = 1, .resize = { 2, 1, 2 },
			    .aborts = 1, .only = SAFETY, .seconds = 600,
			    .gigabytes = 10);
	expect_no_violation("roster", .n = 3, .k = 2, .resize = { 1 },
			    .deaths = 1, .only = SAFETY, .seconds = 600,
			    .gigabytes = 10);
	expect_breaks("quiescence", "roster~marked-void-stays", .n = 3, .k = 1,
		      .resize = { 2, 1 }, .deaths = 1, .only = "quiescence",
		      .gigabytes = 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roster_can_give_up),
		cmocka_unit_test(roster_recovers_the_dead),
		cmocka_unit_test(
			roster_keeps_its_promises_with_three_processes),
		cmocka_unit_test(
			roster_keeps_its_promises_with_three_processes_that_give_up),
		cmocka_unit_test(roster_changes_its_k_again_and_again),
	};

	return RUN(tests);
}
