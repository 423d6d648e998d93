/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks hall and hall-atomic longer than `make test-all` does.  Some of the
 * searches do not end within their time; they are called bounded. */
#include "check.h"

TEST(hall_keeps_its_promises)
{
	(void)state;
	expect_holds("hall", .n = 2, .passages = 2);
	expect_holds("hall", .n = 2, .deaths = 1);
	expect_holds("hall", .n = 2, .deaths = 1, .aborts = 1);
	expect_holds("hall", .n = 2, .each = { 2, 1 }, .aborts = 1);
	expect_holds("hall", .n = 2, .each = { 2, 1 }, .deaths = 1);
}

TEST(hall_keeps_its_promises_with_a_tree_of_one_large_step)
{
	(void)state;
	expect_holds("hall-atomic", .n = 2, .each = { 2, 1 }, .deaths = 1);
	expect_holds("hall-atomic", .n = 2, .passages = 2, .aborts = 1);
	expect_holds("hall-atomic", .n = 2, .each = { 2, 1 }, .aborts = 1,
		     .deaths = 1);
	expect_holds("hall-atomic", .n = 2, .aborts = 1, .deaths = 2);
}

/* Five of the mistakes that twins repeat show only with three processes, as a
 * lost wake-up or in the invariant.  hall.c searches for two of them. */
TEST(three_processes_show_mistakes_that_two_do_not)
{
	(void)state;
	expect_holds("hall-atomic", .n = 3, .only = "no-lost-wake",
		     .seconds = 1800, .gigabytes = 8);
	expect_breaks("no-lost-wake", "hall-atomic~no-T5r", .n = 3, .aborts = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "hall-atomic~drops-duty", .n = 3,
		      .only = "no-lost-wake");
	expect_breaks("invariant", "hall-atomic~fast-in-drain", .n = 3,
		      .aborts = 1, .only = "invariant");
}

TEST(three_processes_break_no_promise)
{
	(void)state;
	expect_no_violation("hall-atomic", .n = 3,
			    .only = "session-exclusion,unique-slots,fcfs,"
				    "quiescence,invariant",
			    .seconds = 1800, .gigabytes = 8);
	expect_no_violation("hall-atomic", .n = 3,
			    .only = "fife,concurrent-entering,"
				    "strong-concurrent-entering",
			    .seconds = 1800, .gigabytes = 8);
	expect_no_violation("hall-atomic", .n = 3, .deaths = 1,
			    .only = "no-lost-wake", .seconds = 900,
			    .gigabytes = 8);
	expect_no_violation("hall-atomic", .n = 3, .aborts = 1,
			    .only = "no-lost-wake", .seconds = 900,
			    .gigabytes = 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hall_keeps_its_promises),
		cmocka_unit_test(
			hall_keeps_its_promises_with_a_tree_of_one_large_step),
		cmocka_unit_test(three_processes_show_mistakes_that_two_do_not),
		cmocka_unit_test(three_processes_break_no_promise),
	};

	return RUN(tests);
}
