/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the abortable mutexes: their promises with aborts at every wait, and
 * the properties that refuse their broken twins. */
#include "check.h"

TEST(bakery_mutex_keeps_its_promises_with_aborts)
{
	(void)state;
	expect_holds("bakery-mutex", .n = 1, .passages = 3, .aborts = 1);
	expect_holds("bakery-mutex", .n = 2, .passages = 4, .aborts = 2);
	expect_holds("bakery-mutex", .n = 3, .passages = 2);
	expect_holds("bakery-mutex", .n = 3, .each = { 2, 1, 1 }, .aborts = 1);
	expect_holds("bakery-mutex", .n = 3, .each = { 2, 1, 1 }, .deaths = 1);
}

TEST(bakery_mutex_is_its_component_for_k_1)
{
	(void)state;
	expect_holds("bakery-mutex/k-bakery", .n = 2, .passages = 2);
	expect_refused("cannot be the component of", "bakery-mutex/k-ticket",
		       .n = 2);
	expect_refused("k", "bakery-mutex", .n = 3, .k = 2);
}

TEST(at_most_k_refuses_a_bakery_mutex_without_line_14)
{
	(void)state;
	expect_breaks("at-most-k", "bakery-mutex/k-bakery~no-14", .n = 2,
		      .passages = 2, .only = "at-most-k", .most_steps = 8);
	expect_breaks("fcfs", "bakery-mutex/k-bakery~no-14", .n = 3,
		      .only = "fcfs", .most_steps = 10);
}

TEST(tree_mutex_keeps_its_promises_with_aborts)
{
	(void)state;
	expect_holds("tree-mutex", .n = 1, .passages = 3, .aborts = 1);
	expect_holds("tree-mutex", .n = 2, .aborts = 1);
	expect_holds("tree-mutex", .n = 2, .passages = 2, .aborts = 1);
	expect_holds("tree-mutex", .n = 2, .passages = 3);
}

TEST(the_registry_names_the_oldest_of_three)
{
	(void)state;
	expect_holds("toy-registry", .n = 3);
	expect_holds("toy-registry", .n = 2, .passages = 3);
}

TEST(a_stopped_process_blocks_the_processes_behind_it)
{
	(void)state;
	expect_breaks("no-starvation", "tree-mutex", .n = 2, .crashes = 1,
		      .only = "no-starvation");
	expect_breaks("no-starvation", "bakery-mutex", .n = 2, .crashes = 1,
		      .only = "no-starvation");
}

TEST(no_deadlock_refuses_half_a_promotion)
{
	(void)state;
	expect_breaks("no-deadlock", "tree-mutex~promote-once", .n = 2,
		      .only = "no-deadlock", .most_steps = 39);
	expect_breaks("no-deadlock", "tree-mutex~no-empty-promote", .n = 2,
		      .each = { 2, 1 }, .aborts = 1, .only = "no-deadlock",
		      .most_steps = 60);
	expect_breaks("no-deadlock", "tree-mutex~no-T9x", .n = 2, .aborts = 1,
		      .only = "no-deadlock", .most_steps = 34);
	expect_breaks("quiescence", "tree-mutex~no-T9x", .n = 2, .aborts = 1,
		      .only = "quiescence", .most_steps = 23);
}

TEST(half_a_promotion_is_not_noticed_without_aborts)
{
	(void)state;
	expect_holds("tree-mutex~no-empty-promote", .n = 2, .passages = 2);
	expect_holds("tree-mutex~no-T9x", .n = 2, .passages = 2);
}

TEST(signalling_the_wrong_passage_is_refused)
{
	(void)state;
	expect_breaks("at-most-k", "tree-mutex~no-K3", .n = 2, .each = { 2, 1 },
		      .only = "at-most-k", .most_steps = 53);
	expect_breaks("at-most-k", "tree-mutex~go-without-token", .n = 2,
		      .each = { 2, 1 }, .only = "at-most-k", .most_steps = 56);
	expect_breaks("no-deadlock", "tree-mutex~K4-write", .n = 2,
		      .each = { 2, 1 }, .only = "no-deadlock",
		      .most_steps = 66);
}

TEST(no_lost_wake_refuses_an_owner_that_is_signalled_and_not_woken)
{
	(void)state;
	expect_breaks("no-lost-wake", "tree-mutex~no-wake", .n = 2,
		      .holds = "at-most-k,fcfs,no-deadlock,no-starvation,"
			       "bounded-doorway,bounded-leave,bounded-abort,"
			       "quiescence,invariant");
}

TEST(fcfs_refuses_tokens_that_do_not_grow)
{
	(void)state;
	expect_breaks("fcfs", "tree-mutex~no-T2", .n = 2, .only = "fcfs",
		      .most_steps = 22);
	expect_breaks("at-most-k", "tree-mutex~no-T2", .n = 2, .each = { 2, 1 },
		      .only = "at-most-k", .most_steps = 53);
	expect_breaks("fcfs", "tree-mutex~T2-write", .n = 2, .passages = 2,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "no-lost-wake,quiescence,invariant");
}

TEST(invariant_and_no_deadlock_refuse_stale_nodes)
{
	(void)state;
	expect_breaks("invariant", "tree-mutex~single-refresh", .n = 2,
		      .only = "invariant", .most_steps = 16);
	expect_breaks("no-deadlock", "tree-mutex~single-refresh", .n = 2,
		      .only = "no-deadlock", .most_steps = 37);
	expect_breaks("invariant,no-deadlock", "tree-mutex~R6-if-changed",
		      .n = 2, .each = { 2, 1 }, .aborts = 1,
		      .only = "invariant,no-deadlock");
	expect_breaks("invariant,no-deadlock", "tree-mutex~no-version", .n = 2,
		      .each = { 2, 1 }, .aborts = 1,
		      .only = "invariant,no-deadlock");
}

TEST(invariant_refuses_requests_removed_without_their_token)
{
	(void)state;
	expect_breaks("invariant", "tree-mutex~dead-is-empty", .n = 3,
		      .only = "invariant");
	expect_breaks("invariant", "tree-mutex~dead-is-oldest", .n = 3,
		      .only = "invariant");
}

TEST(adaptive_mutex_keeps_its_promises_with_aborts)
{
	(void)state;
	expect_holds("adaptive-mutex", .n = 1, .passages = 3, .aborts = 1);
	expect_holds("adaptive-mutex", .n = 2, .aborts = 1);
	expect_holds("adaptive-mutex", .n = 2, .passages = 2);
	expect_holds("adaptive-mutex", .n = 2, .each = { 2, 1 }, .aborts = 1);
}

TEST(invariant_and_no_deadlock_refuse_a_stale_spine)
{
	(void)state;
	expect_breaks("invariant", "adaptive-mutex~single-refresh", .n = 2,
		      .only = "invariant", .most_steps = 24);
	expect_breaks("no-deadlock", "adaptive-mutex~single-refresh", .n = 2,
		      .only = "no-deadlock", .most_steps = 39);
	expect_breaks("invariant", "adaptive-mutex~spine-first", .n = 2,
		      .only = "invariant", .most_steps = 19);
	expect_breaks("no-deadlock", "adaptive-mutex~spine-first", .n = 2,
		      .only = "no-deadlock", .most_steps = 44);
	expect_breaks("invariant,no-deadlock", "adaptive-mutex~S4-if-changed",
		      .n = 2, .each = { 2, 1 }, .aborts = 1,
		      .only = "invariant,no-deadlock");
}

TEST(seats_that_are_shared_or_kept_are_refused)
{
	(void)state;
	expect_breaks("invariant", "adaptive-mutex~T4s-write", .n = 2,
		      .only = "invariant", .most_steps = 16);
	expect_breaks("no-deadlock", "adaptive-mutex~T4s-write", .n = 2,
		      .only = "no-deadlock", .most_steps = 41);
	expect_breaks("quiescence", "adaptive-mutex~no-T7s", .n = 2,
		      .only = "quiescence", .most_steps = 28);
	expect_breaks("no-deadlock", "adaptive-mutex~no-T7s", .n = 2,
		      .only = "no-deadlock", .most_steps = 45);
}

TEST(invariant_refuses_a_seat_without_a_token_in_the_leaf)
{
	(void)state;
	expect_breaks("invariant", "adaptive-mutex~no-T4t", .n = 2,
		      .only = "invariant", .most_steps = 18);
}

TEST(no_lost_wake_refuses_an_adaptive_mutex_that_does_not_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "adaptive-mutex~no-wake", .n = 2,
		      .holds = "at-most-k,fcfs,no-deadlock,no-starvation,"
			       "bounded-doorway,bounded-leave,bounded-abort,"
			       "quiescence,invariant");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bakery_mutex_keeps_its_promises_with_aborts),
		cmocka_unit_test(bakery_mutex_is_its_component_for_k_1),
		cmocka_unit_test(
			at_most_k_refuses_a_bakery_mutex_without_line_14),
		cmocka_unit_test(tree_mutex_keeps_its_promises_with_aborts),
		cmocka_unit_test(the_registry_names_the_oldest_of_three),
		cmocka_unit_test(
			a_stopped_process_blocks_the_processes_behind_it),
		cmocka_unit_test(no_deadlock_refuses_half_a_promotion),
		cmocka_unit_test(
			half_a_promotion_is_not_noticed_without_aborts),
		cmocka_unit_test(signalling_the_wrong_passage_is_refused),
		cmocka_unit_test(
			no_lost_wake_refuses_an_owner_that_is_signalled_and_not_woken),
		cmocka_unit_test(fcfs_refuses_tokens_that_do_not_grow),
		cmocka_unit_test(invariant_and_no_deadlock_refuse_stale_nodes),
		cmocka_unit_test(
			invariant_refuses_requests_removed_without_their_token),
		cmocka_unit_test(adaptive_mutex_keeps_its_promises_with_aborts),
		cmocka_unit_test(
			invariant_and_no_deadlock_refuse_a_stale_spine),
		cmocka_unit_test(seats_that_are_shared_or_kept_are_refused),
		cmocka_unit_test(
			invariant_refuses_a_seat_without_a_token_in_the_leaf),
		cmocka_unit_test(
			no_lost_wake_refuses_an_adaptive_mutex_that_does_not_wake),
	};

	return RUN(tests);
}
