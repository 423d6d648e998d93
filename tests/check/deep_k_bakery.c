/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the three forms of the k-bakery on instances that are too large for
 * `make test`.
 */
#include "check.h"

TEST(k_bakery_keeps_its_promises_with_three_passages_and_with_four_processes)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 1, .passages = 3);
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = 3);
	expect_holds("k-bakery", .n = 4, .k = 1, .passages = 1);
	expect_holds("k-bakery", .n = 4, .k = 2, .passages = 1);
	expect_holds("k-bakery", .n = 4, .k = 3, .passages = 1);
}

TEST(k_bakery_keeps_its_promises_in_unbounded_passages)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = -1);
	expect_holds("k-bakery", .n = 2, .k = 1, .passages = -1, .aborts = 1,
		     .deaths = 1);
}

TEST(k_bakery_keeps_its_promises_with_two_passages_aborts_and_deaths)
{
	(void)state;
	expect_holds("k-bakery", .n = 3, .k = 1, .passages = 2, .aborts = 1);
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = 2, .aborts = 1);
	expect_holds("k-bakery", .n = 3, .k = 1, .passages = 2, .deaths = 2);
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = 2, .deaths = 2);
	expect_holds("k-bakery", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .aborts = 1, .deaths = 1);
}

TEST(k_bakery_fife_keeps_its_promises_with_two_passages)
{
	(void)state;
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .passages = 2);
}

TEST(k_bakery_fife_keeps_its_promises_with_two_passages_aborts_and_deaths)
{
	(void)state;
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .each = { 2, 2, 1 },
		     .aborts = 1);
	expect_holds("k-bakery-fife", .n = 3, .k = 1, .each = { 2, 2, 1 },
		     .deaths = 1);
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .deaths = 2);
	expect_holds("k-bakery-fife", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .aborts = 1, .deaths = 1);
}

TEST(k_bakery_safe_keeps_its_promises_with_a_second_passage)
{
	(void)state;
	expect_holds("k-bakery-safe", .n = 3, .k = 2);
	expect_holds("k-bakery-safe", .n = 3, .k = 1, .each = { 2, 1, 1 });
	expect_holds("k-bakery-safe", .n = 3, .k = 2, .each = { 2, 1, 1 },
		     .only = "at-most-k,fife,no-starvation");
}

TEST(k_bakery_safe_keeps_its_promises_with_three_processes_and_aborts)
{
	(void)state;
	expect_holds("k-bakery-safe", .n = 3, .k = 1, .aborts = 1);
	expect_holds("k-bakery-safe", .n = 3, .k = 1, .each = { 2, 1, 1 },
		     .aborts = 1, .only = "at-most-k,fife,no-starvation");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			k_bakery_keeps_its_promises_in_unbounded_passages),
		cmocka_unit_test(
			k_bakery_keeps_its_promises_with_three_passages_and_with_four_processes),
		cmocka_unit_test(
			k_bakery_keeps_its_promises_with_two_passages_aborts_and_deaths),
		cmocka_unit_test(
			k_bakery_fife_keeps_its_promises_with_two_passages),
		cmocka_unit_test(
			k_bakery_fife_keeps_its_promises_with_two_passages_aborts_and_deaths),
		cmocka_unit_test(
			k_bakery_safe_keeps_its_promises_with_a_second_passage),
		cmocka_unit_test(
			k_bakery_safe_keeps_its_promises_with_three_processes_and_aborts),
	};

	return RUN(tests);
}
