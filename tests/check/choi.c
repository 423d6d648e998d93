/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks Choi's algorithm: its promises, the limits of these promises, and
 * twins that show that every step and every correction of the printed figure is
 * needed. */
#include "check.h"

TEST(choi_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("choi", .n = 3, .k = 1, .passages = 6);
	expect_holds("choi", .n = 3, .k = 2, .passages = 3);
	expect_holds("choi", .n = 3, .k = 3, .passages = 2);
	expect_holds("choi", .n = 4, .k = 2, .passages = 1);
	expect_holds("choi", .n = 4, .k = 3, .passages = 1);
}

TEST(choi_with_more_blocks_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("choi-plain", .n = 3, .k = 1, .passages = 6);
	expect_holds("choi-plain", .n = 3, .k = 2, .passages = 3);
	expect_holds("choi-plain", .n = 4, .k = 2, .passages = 1);
}

TEST(choi_is_first_come_first_served_for_one)
{
	(void)state;
	expect_holds("choi", .n = 3, .k = 1, .passages = 4, .only = "fcfs");
}

TEST(choi_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "choi", .n = 3, .k = 2, .crashes = 2,
		      .holds = "at-most-k,fife,no-deadlock,invariant");
}

/* In these instances the processes go through the array almost three times,
 * because the printed guard does not fail with fewer passages. */
TEST(choi_starves_no_process_where_its_printed_guard_does)
{
	(void)state;
	expect_holds("choi", .n = 3, .k = 3, .each = { 12, 2, 3 },
		     .only = "no-starvation");
	expect_breaks("no-starvation", "choi~guard-2k", .n = 3, .k = 3,
		      .each = { 12, 2, 3 }, .only = "no-starvation");
	expect_replays_file("no-starvation", "choi-guard-2k.trace");
	expect_replays_file("no-starvation", "choi-no-guard.trace");
}

TEST(no_starvation_refuses_one_block)
{
	(void)state;
	expect_breaks("no-starvation", "choi~guard-2k-one-block", .n = 3,
		      .k = 3, .each = { 6, 2, 3 }, .only = "no-starvation",
		      .most_steps = 91);
	expect_replays_file("no-starvation", "choi-guard-2k-one-block.trace");
	/* Even with the correct guard, an array of one block is too small. */
	expect_breaks("no-starvation", "choi~one-block", .n = 3, .k = 3,
		      .each = { 6, 2, 3 }, .only = "no-starvation");
	expect_holds("choi", .n = 3, .k = 3, .each = { 6, 2, 3 },
		     .only = "no-starvation");
}

TEST(no_starvation_refuses_exit_read_first)
{
	(void)state;
	expect_replays_file("no-starvation", "choi-exit-first.trace");
}

TEST(no_starvation_refuses_a_single_update)
{
	(void)state;
	expect_breaks("no-starvation", "choi~one-update", .n = 3, .k = 3,
		      .passages = 4, .only = "no-starvation");
	expect_replays_file("no-starvation", "choi-one-update.trace");
	expect_holds("choi~one-update", .n = 3, .k = 2, .passages = 3,
		     .only = "no-starvation");
}

TEST(no_starvation_refuses_a_wait_set_without_its_place)
{
	(void)state;
	expect_breaks("no-starvation,quiescence", "choi~wait-set-0", .n = 4,
		      .k = 2, .holds = "at-most-k,no-deadlock,bounded-leave");
	expect_breaks("no-starvation", "choi~wait-set-0", .n = 4, .k = 2,
		      .only = "no-starvation", .most_steps = 12);
	expect_breaks("no-starvation", "choi~wait-set-0", .n = 4, .k = 3,
		      .only = "no-starvation", .most_steps = 14);
	expect_replays_file("no-starvation", "choi-wait-set-0.trace");
}

/* Section 3.8 of the thesis reports checks of the first three properties, with
 * at most 6 processes, k <= 3 and no crashes. */
TEST(the_printed_text_starves_a_process_only_with_k_minus_1_crashes)
{
	(void)state;
	expect_holds("choi~printed", .n = 4, .k = 2, .no_crashes = true,
		     .only = "at-most-k,fife,no-deadlock,no-starvation");
	expect_breaks("no-starvation", "choi~printed", .n = 4, .k = 2,
		      .crashes = 1, .only = "no-starvation", .most_steps = 12);
	/* With k = 2 one crash is k-1. */
	expect_holds("choi~printed", .n = 4, .k = 3, .crashes = 1,
		     .only = "at-most-k,fife,no-deadlock,no-starvation",
		     .whole = true);
	expect_breaks("no-starvation", "choi~printed", .n = 4, .k = 3,
		      .crashes = 2, .only = "no-starvation", .most_steps = 14);
}

TEST(no_starvation_and_invariant_refuse_sets_of_too_few_bits)
{
	(void)state;
	expect_breaks("invariant", "choi~short-bits", .n = 5, .k = 4,
		      .only = "invariant", .most_steps = 14);
	expect_breaks("no-starvation", "choi~short-bits", .n = 5, .k = 4,
		      .only = "no-starvation", .most_steps = 20);
	/* If k is 2^m + 1, the promises hold even with too few bits. */
	expect_holds("choi~short-bits", .n = 4, .k = 2);
	expect_holds("choi~short-bits", .n = 4, .k = 3);
}

TEST(no_starvation_and_invariant_refuse_sets_without_minus_1)
{
	(void)state;
	expect_breaks("no-starvation", "choi~no-minus-1", .n = 4, .k = 2,
		      .only = "no-starvation", .most_steps = 19);
	expect_breaks("invariant", "choi~no-minus-1", .n = 4, .k = 2,
		      .only = "invariant", .most_steps = 15);
}

TEST(invariant_refuses_wait_sets_without_the_last_place)
{
	(void)state;
	expect_breaks("invariant", "choi~no-last-place", .n = 5, .k = 4,
		      .only = "invariant", .most_steps = 23);
}

TEST(fife_and_invariant_refuse_a_descending_order)
{
	(void)state;
	expect_breaks("fife", "choi~descending", .n = 4, .k = 2,
		      .each = { 2, 1, 1, 1 }, .only = "fife", .most_steps = 21);
	expect_breaks("invariant", "choi~descending", .n = 4, .k = 2,
		      .each = { 2, 1, 1, 1 }, .only = "invariant",
		      .most_steps = 15);
	expect_replays_file("fife", "choi-descending.trace");
}

TEST(at_most_k_refuses_a_token_too_many)
{
	(void)state;
	expect_breaks("at-most-k", "choi~one-more", .n = 4, .k = 2,
		      .only = "at-most-k", .most_steps = 18);
	expect_breaks("invariant,quiescence", "choi~one-more", .n = 3, .k = 2);
}

TEST(no_lost_wake_refuses_a_cas_without_a_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "choi~no-wake", .n = 3, .k = 2,
		      .holds = "at-most-k,fife,k-fcfs,no-deadlock,"
			       "no-starvation,bounded-doorway,bounded-leave,"
			       "quiescence,invariant");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choi_survives_k_minus_1_crashes),
		cmocka_unit_test(
			choi_with_more_blocks_survives_k_minus_1_crashes),
		cmocka_unit_test(choi_is_first_come_first_served_for_one),
		cmocka_unit_test(choi_does_not_survive_k_crashes),
		cmocka_unit_test(
			choi_starves_no_process_where_its_printed_guard_does),
		cmocka_unit_test(no_starvation_refuses_one_block),
		cmocka_unit_test(no_starvation_refuses_exit_read_first),
		cmocka_unit_test(no_starvation_refuses_a_single_update),
		cmocka_unit_test(
			no_starvation_refuses_a_wait_set_without_its_place),
		cmocka_unit_test(
			the_printed_text_starves_a_process_only_with_k_minus_1_crashes),
		cmocka_unit_test(
			no_starvation_and_invariant_refuse_sets_of_too_few_bits),
		cmocka_unit_test(
			no_starvation_and_invariant_refuse_sets_without_minus_1),
		cmocka_unit_test(
			invariant_refuses_wait_sets_without_the_last_place),
		cmocka_unit_test(fife_and_invariant_refuse_a_descending_order),
		cmocka_unit_test(at_most_k_refuses_a_token_too_many),
		cmocka_unit_test(no_lost_wake_refuses_a_cas_without_a_wake),
	};

	return RUN(tests);
}
