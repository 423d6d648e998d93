/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks Anderson and Moir's algorithms on instances that are too large for
 * `make test`.
 */
#include "check.h"

TEST(am_induction_keeps_its_promises_with_five_processes_for_ever)
{
	(void)state;
	expect_holds("am-induction", .n = 4, .k = 1, .passages = -1);
	expect_holds("am-induction", .n = 5, .k = 4, .passages = -1);
	expect_holds("am-induction", .n = 5, .k = 3, .passages = -1,
		     .gigabytes = 8);
}

TEST(am_tree_keeps_its_promises_with_five_processes)
{
	(void)state;
	expect_holds("am-tree", .n = 5, .k = 2);
	expect_holds("am-tree", .n = 4, .k = 2, .passages = -1,
		     .gigabytes = 12);
}

TEST(am_fast_path_keeps_its_promises_with_four_processes_and_more_passages)
{
	(void)state;
	expect_holds("am-fast-path", .n = 4, .k = 1, .passages = 2,
		     .only = "at-most-k,no-starvation,quiescence",
		     .gigabytes = 8);
	expect_holds("am-fast-path", .n = 4, .k = 1, .passages = -1,
		     .only = "at-most-k", .gigabytes = 8);
	expect_holds("am-fast-path", .n = 4, .k = 2, .each = { 2, 2, 1, 1 },
		     .gigabytes = 8);
}

TEST(the_printed_gates_keep_their_promises_with_four_processes)
{
	(void)state;
	expect_holds("am-fast-path-printed", .n = 4, .k = 1, .passages = -1,
		     .only = "at-most-k");
	expect_holds("am-nested-printed", .n = 4, .k = 1, .passages = -1,
		     .only = "at-most-k");
	expect_holds("am-dsm-fast-path-printed", .n = 3, .k = 1,
		     .each = { 2, 1, 1 }, .only = "at-most-k,no-starvation");
	expect_holds("am-dsm-nested-printed", .n = 3, .k = 1,
		     .each = { 2, 1, 1 }, .only = "at-most-k,no-starvation");
}

TEST(am_nested_keeps_its_promises_with_four_processes_and_more_passages)
{
	(void)state;
	expect_holds("am-nested", .n = 4, .k = 1, .each = { 2, 1, 1, 1 },
		     .gigabytes = 8);
}

TEST(am_dsm_unbounded_keeps_its_promises_with_more_passages)
{
	(void)state;
	expect_holds("am-dsm-unbounded", .n = 3, .k = 2, .passages = 3);
	expect_holds("am-dsm-unbounded", .n = 3, .k = 1, .passages = 2);
	expect_holds("am-dsm-unbounded", .n = 4, .k = 3, .passages = 2);
}

TEST(am_dsm_induction_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("am-dsm-induction", .n = 3, .k = 2, .passages = -1,
		     .gigabytes = 12);
	expect_holds("am-dsm-induction", .n = 3, .k = 1, .passages = 2,
		     .gigabytes = 8);
}

TEST(am_dsm_tree_and_fast_path_keep_their_promises_with_two_passages)
{
	(void)state;
	expect_holds("am-dsm-tree", .n = 3, .k = 1, .passages = 2);
	expect_holds("am-dsm-tree", .n = 4, .k = 1);
	expect_holds("am-dsm-fast-path", .n = 3, .k = 1, .passages = 2,
		     .gigabytes = 8);
}

TEST(renaming_gives_unique_slots_over_larger_components)
{
	(void)state;
	expect_holds("renaming/am-induction", .n = 5, .k = 4, .passages = -1);
	expect_holds("renaming/am-induction", .n = 5, .k = 3, .passages = -1,
		     .only = "at-most-k,unique-slots,quiescence",
		     .gigabytes = 8);
	expect_holds("renaming/am-dsm-induction", .n = 3, .k = 2,
		     .passages = -1, .only = "at-most-k,unique-slots",
		     .gigabytes = 8);
	expect_holds("renaming", .n = 4, .k = 2);
	expect_holds("renaming/k-bakery-safe", .n = 3, .k = 2);
}

/* These instances do not fit into memory; the output says how far each search
 * went. */
TEST(larger_instances_show_no_violation_in_ten_minutes)
{
	(void)state;
	expect_no_violation("am-induction", .n = 6, .k = 4, .passages = -1,
			    .only = "at-most-k,quiescence", .seconds = 600,
			    .gigabytes = 12);
	expect_no_violation("am-tree", .n = 5, .k = 2, .passages = -1,
			    .only = "at-most-k,quiescence", .seconds = 600,
			    .gigabytes = 12);
	expect_no_violation("am-nested", .n = 4, .k = 1, .passages = -1,
			    .only = "at-most-k,quiescence", .seconds = 600,
			    .gigabytes = 12);
}

TEST(nested_gates_around_a_block_for_2k_let_too_many_in)
{
	(void)state;
	expect_breaks("at-most-k", "am-nested~blocks-only", .n = 4, .k = 1,
		      .each = { 2, 2, 2, 1 }, .only = "at-most-k",
		      .gigabytes = 12);
}

TEST(an_announcement_without_a_second_read_starves_a_process)
{
	(void)state;
	expect_breaks("no-starvation", "am-dsm-induction~no-second-look",
		      .n = 3, .k = 2, .each = { 5, 5, 2 },
		      .only = "no-starvation");
}

TEST(a_slow_path_for_n_minus_k_breaks_with_four_processes_too)
{
	(void)state;
	expect_breaks("at-most-k", "am-fast-path~undo-n-k", .n = 4, .k = 1,
		      .passages = 2, .only = "at-most-k", .gigabytes = 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_printed_gates_keep_their_promises_with_four_processes),
		cmocka_unit_test(
			am_induction_keeps_its_promises_with_five_processes_for_ever),
		cmocka_unit_test(
			am_tree_keeps_its_promises_with_five_processes),
		cmocka_unit_test(
			am_fast_path_keeps_its_promises_with_four_processes_and_more_passages),
		cmocka_unit_test(
			am_nested_keeps_its_promises_with_four_processes_and_more_passages),
		cmocka_unit_test(
			am_dsm_unbounded_keeps_its_promises_with_more_passages),
		cmocka_unit_test(am_dsm_induction_keeps_its_promises_for_ever),
		cmocka_unit_test(
			am_dsm_tree_and_fast_path_keep_their_promises_with_two_passages),
		cmocka_unit_test(
			renaming_gives_unique_slots_over_larger_components),
		cmocka_unit_test(
			larger_instances_show_no_violation_in_ten_minutes),
		cmocka_unit_test(
			nested_gates_around_a_block_for_2k_let_too_many_in),
		cmocka_unit_test(
			an_announcement_without_a_second_read_starves_a_process),
		cmocka_unit_test(
			a_slow_path_for_n_minus_k_breaks_with_four_processes_too),
	};

	return RUN(tests);
}
