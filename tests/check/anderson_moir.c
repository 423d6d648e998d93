/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the promises of Anderson and Moir's k-exclusions and of renaming,
 * which hands out slots inside any k-exclusion, and the properties that refuse
 * the broken twins of these algorithms. */
#include "check.h"

#include <stdio.h>
#include <string.h>

TEST(am_queue_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("am-queue", .n = 3, .k = 2, .passages = -1);
	expect_holds("am-queue", .n = 4, .k = 2, .passages = -1);
	expect_holds("am-queue", .n = 5, .k = 3, .passages = -1);
}

TEST(am_induction_survives_k_minus_1_crashes_for_ever)
{
	(void)state;
	expect_holds("am-induction", .n = 3, .k = 1, .passages = -1);
	expect_holds("am-induction", .n = 3, .k = 2, .passages = -1);
	expect_holds("am-induction", .n = 4, .k = 2, .passages = -1);
	expect_holds("am-induction", .n = 4, .k = 3, .passages = -1);
	expect_holds("am-induction", .n = 3, .k = 1, .passages = 2);
}

TEST(am_tree_survives_k_minus_1_crashes_for_ever)
{
	(void)state;
	expect_holds("am-tree", .n = 3, .k = 1, .passages = -1);
	expect_holds("am-tree", .n = 3, .k = 2, .passages = -1);
	expect_holds("am-tree", .n = 4, .k = 1, .passages = -1);
	expect_holds("am-tree", .n = 5, .k = 1);
	expect_holds("am-tree", .n = 4, .k = 2, .passages = 2);
}

TEST(am_fast_path_survives_k_minus_1_crashes_for_ever)
{
	(void)state;
	expect_holds("am-fast-path", .n = 3, .k = 1, .passages = -1);
	expect_holds("am-fast-path", .n = 3, .k = 2, .passages = -1);
	expect_holds("am-fast-path", .n = 4, .k = 1);
	expect_holds("am-fast-path", .n = 4, .k = 2);
}

TEST(am_nested_survives_k_minus_1_crashes_for_ever)
{
	(void)state;
	expect_holds("am-nested", .n = 3, .k = 1, .passages = -1);
	expect_holds("am-nested", .n = 4, .k = 1);
	expect_holds("am-nested", .n = 4, .k = 2, .passages = 2);
}

/* The gate is a large step, which no machine has. */
TEST(the_printed_gates_survive_k_minus_1_crashes_for_ever)
{
	(void)state;
	expect_holds("am-fast-path-printed", .n = 3, .k = 1, .passages = -1);
	expect_holds("am-fast-path-printed", .n = 4, .k = 2);
	expect_holds("am-fast-path-printed", .n = 4, .k = 1);
	expect_holds("am-nested-printed", .n = 3, .k = 1, .passages = -1);
	expect_holds("am-nested-printed", .n = 3, .k = 2, .passages = -1);
	expect_holds("am-nested-printed", .n = 4, .k = 1);
	expect_holds("am-dsm-fast-path-printed", .n = 3, .k = 1);
	expect_holds("am-dsm-nested-printed", .n = 3, .k = 1);
	expect_holds("am-dsm-nested-printed", .n = 3, .k = 2);
}

TEST(am_dsm_unbounded_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("am-dsm-unbounded", .n = 2, .k = 1, .passages = 6);
	expect_holds("am-dsm-unbounded", .n = 3, .k = 2, .passages = 2);
	expect_holds("am-dsm-unbounded", .n = 3, .k = 1);
	expect_holds("am-dsm-unbounded", .n = 4, .k = 3);
}

TEST(am_dsm_induction_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("am-dsm-induction", .n = 2, .k = 1, .passages = -1);
	expect_holds("am-dsm-induction", .n = 3, .k = 2, .passages = 2);
	expect_holds("am-dsm-induction", .n = 3, .k = 1);
	expect_holds("am-dsm-induction", .n = 4, .k = 3);
}

TEST(am_dsm_tree_fast_path_and_nested_survive_k_minus_1_crashes)
{
	(void)state;
	expect_holds("am-dsm-tree", .n = 3, .k = 1);
	expect_holds("am-dsm-tree", .n = 3, .k = 2);
	expect_holds("am-dsm-fast-path", .n = 3, .k = 1);
	expect_holds("am-dsm-fast-path", .n = 3, .k = 2);
	expect_holds("am-dsm-nested", .n = 3, .k = 1);
	expect_holds("am-dsm-nested", .n = 3, .k = 2);
	expect_holds("am-dsm-nested", .n = 3, .k = 2, .passages = 2);
}

TEST(no_process_waits_if_k_is_n_or_more)
{
	(void)state;
	expect_holds("am-tree", .n = 2, .k = 2);
	expect_holds("am-tree", .n = 2, .k = 3);
	expect_holds("am-fast-path", .n = 2, .k = 2);
	expect_holds("am-fast-path", .n = 2, .k = 3);
	expect_holds("am-nested", .n = 2, .k = 2);
	expect_holds("am-nested", .n = 2, .k = 3);
	expect_holds("am-dsm-fast-path", .n = 2, .k = 2);
	expect_holds("am-dsm-fast-path", .n = 2, .k = 3);
	expect_holds("renaming", .n = 2, .k = 2);
	expect_holds("renaming", .n = 2, .k = 3);
	/* In the doorway of k-bakery a process can already be admitted. */
	expect_holds("renaming/k-bakery", .n = 2, .k = 2);
}

TEST(k_crashes_are_too_many)
{
	(void)state;
	expect_breaks("no-starvation", "am-induction", .n = 3, .k = 2,
		      .crashes = 2, .only = "no-starvation");
	expect_breaks("no-starvation", "am-tree", .n = 3, .k = 2, .crashes = 2,
		      .only = "no-starvation");
	expect_breaks("no-starvation", "am-fast-path", .n = 3, .k = 2,
		      .crashes = 2, .only = "no-starvation");
	expect_breaks("no-starvation", "am-dsm-induction", .n = 3, .k = 2,
		      .crashes = 2, .only = "no-starvation");
}

/* The check over k-bakery-safe takes a minute: see deep_anderson_moir.c. */
TEST(renaming_gives_unique_slots_over_every_k_exclusion)
{
	const char *component;
	char name[64];

	(void)state;
	for (size_t i = 0; (component = lab_component_at("renaming", i)); i++) {
		if (strchr(component, '~') || !strncmp(component, "toy", 3) ||
		    strcmp(component, "k-bakery-safe") == 0)
			continue;
		snprintf(name, sizeof name, "renaming/%s", component);
		expect_holds(name, .n = 3, .k = 2);
	}
}

TEST(renaming_gives_unique_slots_for_ever_and_while_some_give_up)
{
	(void)state;
	expect_holds("renaming/am-induction", .n = 4, .k = 2, .passages = -1);
	expect_holds("renaming/am-induction", .n = 4, .k = 3, .passages = -1);
	expect_holds("renaming/am-queue", .n = 4, .k = 3, .passages = -1);
	expect_holds("renaming/k-ticket", .n = 4, .k = 3, .passages = 2);
	expect_holds("renaming", .n = 3, .k = 2, .passages = 2);
	expect_holds("renaming/am-tree", .n = 4, .k = 2);
	expect_holds("renaming/k-bakery-fife", .n = 3, .k = 2, .aborts = 1);
}

TEST(no_starvation_refuses_cells_that_signal_too_early_or_read_once)
{
	(void)state;
	expect_breaks("no-starvation", "am-induction~7-before-6", .n = 3,
		      .k = 2, .only = "no-starvation", .most_steps = 7);
	expect_breaks("no-deadlock", "am-induction~7-before-6", .n = 2, .k = 1,
		      .only = "no-deadlock", .most_steps = 6);
	expect_breaks("no-starvation", "am-induction~no-4", .n = 3, .k = 2,
		      .only = "no-starvation", .most_steps = 6);
}

TEST(at_most_k_refuses_cells_left_in_the_order_entered)
{
	(void)state;
	expect_breaks("at-most-k", "am-induction~same-order", .n = 3, .k = 1,
		      .only = "at-most-k", .passages = 2, .most_steps = 13);
	expect_breaks("at-most-k", "am-induction~same-order", .n = 4, .k = 2,
		      .only = "at-most-k", .passages = 2, .most_steps = 15);
	expect_holds("am-induction~same-order", .n = 3, .k = 2);
}

TEST(at_most_k_refuses_a_tree_left_from_the_leaves)
{
	(void)state;
	expect_breaks("at-most-k", "am-tree~leaf-first", .n = 3, .k = 1,
		      .most_steps = 12,
		      .holds = "no-deadlock,no-starvation,bounded-leave,"
			       "no-lost-wake,quiescence");
	expect_breaks("at-most-k", "am-tree~leaf-first", .n = 4, .k = 1,
		      .only = "at-most-k", .most_steps = 13);
	expect_replays_file("at-most-k", "am-tree-leaf-first.trace");
}

TEST(at_most_k_refuses_gates_that_go_below_zero)
{
	(void)state;
	expect_breaks("at-most-k", "am-fast-path~plain-add", .n = 3, .k = 1,
		      .only = "at-most-k", .most_steps = 7);
	expect_breaks("at-most-k", "am-fast-path~plain-undo", .n = 3, .k = 1,
		      .most_steps = 8,
		      .holds = "no-deadlock,no-starvation,bounded-leave,"
			       "no-lost-wake,quiescence");
	expect_replays_file("at-most-k", "am-fast-path-plain-add.trace");
}

TEST(at_most_k_refuses_a_slow_path_for_n_minus_k)
{
	(void)state;
	expect_breaks("at-most-k", "am-fast-path~undo-n-k", .n = 3, .k = 1,
		      .only = "at-most-k", .passages = 2, .most_steps = 26);
	expect_replays_file("at-most-k", "am-fast-path-undo-n-k.trace");
}

TEST(no_starvation_refuses_a_gate_that_retries_while_exclusion_holds)
{
	(void)state;
	expect_breaks("no-starvation", "am-fast-path~cas-loop", .n = 3, .k = 1,
		      .passages = -1,
		      .holds =
			      "at-most-k,no-deadlock,bounded-leave,quiescence");
}

TEST(at_most_k_refuses_a_slot_given_back_before_the_block)
{
	(void)state;
	expect_breaks("at-most-k", "am-fast-path~9-before-6", .n = 3, .k = 1,
		      .only = "at-most-k", .passages = 2, .most_steps = 14);
}

TEST(at_most_k_refuses_nested_gates_around_a_block_for_2k)
{
	(void)state;
	expect_replays_file("at-most-k", "am-nested-blocks-only.trace");
}

TEST(no_starvation_refuses_locations_that_are_used_again)
{
	(void)state;
	expect_breaks("no-starvation", "am-dsm-unbounded~ring-2", .n = 3,
		      .k = 2, .only = "no-starvation", .passages = 3,
		      .most_steps = 30);
	expect_breaks("no-starvation", "am-dsm-unbounded~ring-3", .n = 3,
		      .k = 2, .only = "no-starvation", .passages = 4,
		      .most_steps = 42);
}

TEST(at_most_k_refuses_a_location_that_Q_may_name)
{
	(void)state;
	expect_breaks("at-most-k", "am-dsm-induction~last-of-0", .n = 3, .k = 2,
		      .most_steps = 13,
		      .holds = "no-deadlock,no-starvation,bounded-leave,"
			       "no-lost-wake,quiescence");
	expect_breaks("at-most-k", "am-dsm-induction~from-last", .n = 3, .k = 2,
		      .only = "at-most-k", .most_steps = 13);
	expect_replays_file("at-most-k", "am-dsm-induction-last-of-0.trace");
}

TEST(no_deadlock_refuses_a_record_that_names_no_process)
{
	(void)state;
	expect_breaks("no-deadlock,no-starvation,no-lost-wake",
		      "am-dsm-induction~no-pid", .n = 2, .k = 1,
		      .holds = "at-most-k,bounded-leave");
	expect_breaks("no-deadlock", "am-dsm-induction~no-pid", .n = 2, .k = 1,
		      .only = "no-deadlock", .most_steps = 16);
}

TEST(no_starvation_refuses_an_announcement_without_a_second_read)
{
	(void)state;
	expect_replays_file("no-starvation",
			    "am-dsm-induction-no-second-look.trace");
}

TEST(at_most_k_and_no_starvation_refuse_c_locations)
{
	(void)state;
	expect_breaks("at-most-k,no-starvation", "am-dsm-induction~c-locations",
		      .n = 3, .k = 2, .only = "at-most-k,no-starvation",
		      .passages = 2);
}

TEST(no_lost_wake_refuses_each_missing_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "am-induction~no-wake-3", .n = 3, .k = 2,
		      .passages = -1,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "bounded-leave,quiescence");
	expect_breaks("no-lost-wake", "am-induction~no-wake-7", .n = 2, .k = 1,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "bounded-leave,quiescence");
	expect_breaks("no-lost-wake", "am-dsm-unbounded~no-wake", .n = 2,
		      .k = 1);
	expect_breaks("no-lost-wake", "am-dsm-induction~no-wake-10", .n = 3,
		      .k = 2, .only = "no-lost-wake", .passages = 2);
	expect_breaks("no-lost-wake", "am-dsm-induction~no-wake-20", .n = 2,
		      .k = 1,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "bounded-leave,quiescence");
}

TEST(fife_and_k_fcfs_refuse_a_queue_that_is_a_stack)
{
	(void)state;
	expect_breaks("fife,k-fcfs", "am-queue~lifo", .n = 3, .k = 1,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "bounded-doorway,bounded-leave,no-lost-wake,"
			       "quiescence,invariant");
}

TEST(unique_slots_refuses_a_name_given_back_too_late)
{
	(void)state;
	expect_breaks("unique-slots", "renaming~release-order/am-induction",
		      .n = 3, .k = 2, .most_steps = 7,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "bounded-leave,no-lost-wake,quiescence");
	expect_breaks("unique-slots", "renaming~release-order/am-induction",
		      .n = 4, .k = 2, .only = "unique-slots", .most_steps = 10);
	expect_breaks("unique-slots", "renaming~release-order/am-induction",
		      .n = 4, .k = 3, .only = "unique-slots", .most_steps = 12);
	expect_replays_file("unique-slots", "renaming-release-order.trace");
}

TEST(quiescence_and_no_starvation_refuse_a_missing_bit)
{
	(void)state;
	expect_breaks("quiescence,no-starvation",
		      "renaming~no-guard/am-induction", .n = 3, .k = 2,
		      .holds = "at-most-k,unique-slots,bounded-leave");
}

TEST(a_component_must_exist_and_fit)
{
	(void)state;
	expect_refused("unknown algorithm 'am-tre'; nearest: renaming/am-tree",
		       "renaming/am-tre", .n = 3);
	expect_refused("bakery cannot be the component of renaming",
		       "renaming/bakery", .n = 3);
	expect_refused("k-ticket takes no component", "k-ticket/am-tree",
		       .n = 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(am_queue_keeps_its_promises_for_ever),
		cmocka_unit_test(
			am_induction_survives_k_minus_1_crashes_for_ever),
		cmocka_unit_test(am_tree_survives_k_minus_1_crashes_for_ever),
		cmocka_unit_test(
			am_fast_path_survives_k_minus_1_crashes_for_ever),
		cmocka_unit_test(am_nested_survives_k_minus_1_crashes_for_ever),
		cmocka_unit_test(
			the_printed_gates_survive_k_minus_1_crashes_for_ever),
		cmocka_unit_test(am_dsm_unbounded_survives_k_minus_1_crashes),
		cmocka_unit_test(am_dsm_induction_survives_k_minus_1_crashes),
		cmocka_unit_test(
			am_dsm_tree_fast_path_and_nested_survive_k_minus_1_crashes),
		cmocka_unit_test(no_process_waits_if_k_is_n_or_more),
		cmocka_unit_test(k_crashes_are_too_many),
		cmocka_unit_test(
			renaming_gives_unique_slots_over_every_k_exclusion),
		cmocka_unit_test(
			renaming_gives_unique_slots_for_ever_and_while_some_give_up),
		cmocka_unit_test(
			no_starvation_refuses_cells_that_signal_too_early_or_read_once),
		cmocka_unit_test(
			at_most_k_refuses_cells_left_in_the_order_entered),
		cmocka_unit_test(at_most_k_refuses_a_tree_left_from_the_leaves),
		cmocka_unit_test(at_most_k_refuses_gates_that_go_below_zero),
		cmocka_unit_test(at_most_k_refuses_a_slow_path_for_n_minus_k),
		cmocka_unit_test(
			no_starvation_refuses_a_gate_that_retries_while_exclusion_holds),
		cmocka_unit_test(
			at_most_k_refuses_a_slot_given_back_before_the_block),
		cmocka_unit_test(
			at_most_k_refuses_nested_gates_around_a_block_for_2k),
		cmocka_unit_test(
			no_starvation_refuses_locations_that_are_used_again),
		cmocka_unit_test(at_most_k_refuses_a_location_that_Q_may_name),
		cmocka_unit_test(
			no_deadlock_refuses_a_record_that_names_no_process),
		cmocka_unit_test(
			no_starvation_refuses_an_announcement_without_a_second_read),
		cmocka_unit_test(
			at_most_k_and_no_starvation_refuse_c_locations),
		cmocka_unit_test(no_lost_wake_refuses_each_missing_wake),
		cmocka_unit_test(
			fife_and_k_fcfs_refuse_a_queue_that_is_a_stack),
		cmocka_unit_test(
			unique_slots_refuses_a_name_given_back_too_late),
		cmocka_unit_test(
			quiescence_and_no_starvation_refuse_a_missing_bit),
		cmocka_unit_test(a_component_must_exist_and_fit),
	};

	return RUN(tests);
}
