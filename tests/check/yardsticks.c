/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks well-known locks with which the literature compares new locks.  The
 * tests check the promises of these locks, most of them for unbounded passages,
 * and the properties that refuse their broken twins. */
#include "check.h"

/* The promises of a queue lock apart from no-lost-wake. */
static const char queue[] = "at-most-k,fcfs,no-deadlock,no-starvation,"
			    "bounded-doorway,bounded-leave,quiescence,"
			    "invariant";

/* The promises of a tree of mutexes, except no-lost-wake. */
static const char tree[] = "at-most-k,no-deadlock,no-starvation,"
			   "bounded-leave,quiescence,invariant";

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

TEST(clh_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("clh", .n = 1, .passages = -1);
	expect_holds("clh", .n = 3, .passages = -1);
	expect_holds("clh", .n = 4, .passages = -1);
}

TEST(at_most_k_refuses_a_clh_node_that_is_busy_too_late)
{
	(void)state;
	expect_breaks("at-most-k", "clh~C2-before-C1", .n = 2,
		      .only = "at-most-k", .most_steps = 6);
}

TEST(no_deadlock_refuses_a_clh_that_uses_its_node_again)
{
	(void)state;
	expect_breaks("no-deadlock", "clh~own-node", .n = 2, .each = { 2, 1 },
		      .only = "no-deadlock,at-most-k", .most_steps = 6,
		      .holds = "at-most-k");
}

TEST(no_lost_wake_refuses_a_silent_leaver_of_clh)
{
	(void)state;
	expect_breaks("no-lost-wake", "clh~no-wake", .n = 2, .holds = queue);
}

TEST(anderson_array_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("anderson-array", .n = 1, .passages = -1);
	expect_holds("anderson-array", .n = 4, .passages = -1);
	expect_holds("anderson-array", .n = 5, .passages = -1);
}

TEST(at_most_k_refuses_a_place_that_keeps_the_lock_or_is_shared)
{
	(void)state;
	expect_breaks("at-most-k", "anderson-array~no-A4", .n = 2,
		      .each = { 2, 1 }, .only = "at-most-k", .most_steps = 9);
	expect_breaks("at-most-k", "anderson-array~short", .n = 3,
		      .only = "at-most-k", .most_steps = 9);
}

TEST(no_deadlock_refuses_a_place_that_loses_the_lock_late)
{
	(void)state;
	expect_breaks("no-deadlock", "anderson-array~A4-last", .n = 2,
		      .each = { 2, 1 }, .only = "no-deadlock,at-most-k",
		      .most_steps = 11, .holds = "at-most-k");
}

TEST(no_lost_wake_refuses_a_silent_leaver_of_anderson_array)
{
	(void)state;
	expect_breaks("no-lost-wake", "anderson-array~no-wake", .n = 2,
		      .holds = queue);
}

TEST(graunke_thakkar_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("graunke-thakkar", .n = 1, .passages = -1);
	expect_holds("graunke-thakkar", .n = 3, .passages = -1);
	expect_holds("graunke-thakkar", .n = 4, .passages = -1);
}

TEST(no_deadlock_refuses_flags_that_do_not_alternate)
{
	(void)state;
	expect_breaks("no-deadlock", "graunke-thakkar~one-value", .n = 2,
		      .each = { 2, 1 }, .only = "no-deadlock,at-most-k",
		      .most_steps = 6, .holds = "at-most-k");
}

TEST(at_most_k_refuses_a_flag_announced_as_it_will_be)
{
	(void)state;
	expect_breaks("at-most-k", "graunke-thakkar~flipped", .n = 2,
		      .only = "at-most-k", .most_steps = 6);
}

TEST(no_lost_wake_refuses_a_silent_leaver_of_graunke_thakkar)
{
	(void)state;
	expect_breaks("no-lost-wake", "graunke-thakkar~no-wake", .n = 2,
		      .holds = queue);
}

TEST(yang_anderson_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("yang-anderson", .n = 1, .passages = -1);
	expect_holds("yang-anderson", .n = 2, .passages = -1);
	expect_holds("yang-anderson", .n = 3, .passages = -1);
	expect_holds("yang-anderson", .n = 3, .passages = 1);
}

TEST(no_deadlock_refuses_a_yang_anderson_whose_rivals_are_not_told)
{
	(void)state;
	expect_breaks("no-deadlock", "yang-anderson~no-8", .n = 2,
		      .most_steps = 10,
		      .holds = "at-most-k,bounded-leave,quiescence,invariant");
	expect_breaks("no-deadlock", "yang-anderson~no-10", .n = 2,
		      .most_steps = 15,
		      .holds = "at-most-k,bounded-leave,quiescence,invariant");
}

TEST(at_most_k_refuses_a_yang_anderson_that_waits_too_little)
{
	(void)state;
	expect_breaks("at-most-k", "yang-anderson~no-11", .n = 2,
		      .most_steps = 16,
		      .holds = "no-deadlock,no-starvation,bounded-leave,"
			       "no-lost-wake,quiescence,invariant");
}

TEST(at_most_k_refuses_mistakes_that_need_two_levels)
{
	(void)state;
	expect_holds("yang-anderson~leaf-first", .n = 2, .passages = 2);
	expect_breaks("at-most-k", "yang-anderson~leaf-first", .n = 3,
		      .only = "at-most-k", .most_steps = 23);
	expect_holds("yang-anderson~one-P", .n = 2, .passages = 2);
	expect_breaks("at-most-k", "yang-anderson~one-P", .n = 3,
		      .only = "at-most-k", .most_steps = 31);
}

TEST(no_lost_wake_refuses_both_missing_wakes_of_yang_anderson)
{
	(void)state;
	expect_breaks("no-lost-wake", "yang-anderson~no-wake", .n = 2,
		      .holds = tree);
	expect_breaks("no-lost-wake", "yang-anderson~no-wake-8", .n = 2,
		      .holds = tree);
}

TEST(peterson_tree_keeps_its_promises_for_ever)
{
	(void)state;
	expect_holds("peterson-tree", .n = 1, .passages = -1);
	expect_holds("peterson-tree", .n = 4, .passages = -1);
	expect_holds("peterson-tree", .n = 5, .passages = -1);
}

TEST(at_most_k_refuses_a_flag_that_is_raised_late_or_lowered_early)
{
	(void)state;
	expect_breaks("at-most-k", "peterson-tree~2-before-1", .n = 2,
		      .most_steps = 7,
		      .holds = "no-deadlock,no-starvation,bounded-leave,"
			       "no-lost-wake,quiescence,invariant");
	expect_holds("peterson-tree~leaf-first", .n = 2, .passages = 2);
	expect_breaks("at-most-k", "peterson-tree~leaf-first", .n = 3,
		      .only = "at-most-k", .most_steps = 17);
	expect_breaks("invariant", "peterson-tree~leaf-first", .n = 3,
		      .only = "invariant", .most_steps = 14);
}

TEST(no_deadlock_refuses_a_peterson_tree_without_turns)
{
	(void)state;
	expect_breaks("no-deadlock", "peterson-tree~no-turn", .n = 2,
		      .most_steps = 4,
		      .holds = "at-most-k,bounded-leave,quiescence,invariant");
}

TEST(no_lost_wake_refuses_both_missing_wakes_of_peterson_tree)
{
	(void)state;
	expect_breaks("no-lost-wake", "peterson-tree~no-wake-2", .n = 2,
		      .holds = tree);
	expect_breaks("no-lost-wake", "peterson-tree~no-wake-5", .n = 2,
		      .holds = tree);
}

TEST(decker_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("decker", .n = 3, .k = 1, .passages = 3);
	expect_holds("decker", .n = 3, .k = 1, .passages = 3, .only = "fcfs");
	expect_holds("decker", .n = 3, .k = 2, .passages = 3);
	expect_holds("decker", .n = 2, .k = 3, .passages = 2);
	expect_holds("decker", .n = 4, .k = 2, .passages = 2);
	expect_holds("decker", .n = 4, .k = 3, .each = { 2, 2, 1, 1 });
}

TEST(decker_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "decker", .n = 3, .k = 2, .crashes = 2,
		      .most_steps = 3, .holds = "at-most-k,fife,no-deadlock");
}

TEST(no_starvation_and_fife_refuse_a_leaver_that_enables_one_token)
{
	(void)state;
	expect_breaks("no-starvation", "decker~partner-only", .n = 3, .k = 2,
		      .only = "no-starvation", .most_steps = 9);
	expect_breaks("fife", "decker~partner-only", .n = 4, .k = 2,
		      .only = "fife", .most_steps = 11);
}

TEST(fife_and_invariant_refuse_tokens_enabled_in_descending_order)
{
	(void)state;
	expect_breaks("invariant", "decker~descending", .n = 3, .k = 2,
		      .most_steps = 8,
		      .holds = "at-most-k,fife,no-deadlock,no-starvation,"
			       "no-lost-wake,quiescence");
	expect_breaks("fife", "decker~descending", .n = 4, .k = 2,
		      .only = "fife", .most_steps = 11);
}

TEST(at_most_k_refuses_a_leaver_that_enables_one_token_more)
{
	(void)state;
	expect_breaks("at-most-k", "decker~one-more", .n = 4, .k = 2,
		      .only = "at-most-k", .most_steps = 14);
}

TEST(no_deadlock_refuses_late_leavers_that_write)
{
	(void)state;
	expect_breaks("no-deadlock,no-starvation", "decker~plain-write", .n = 3,
		      .k = 2, .passages = 2,
		      .only = "no-deadlock,no-starvation");
}

TEST(no_lost_wake_refuses_a_silent_leaver_of_decker)
{
	(void)state;
	expect_breaks("no-lost-wake", "decker~no-wake", .n = 3, .k = 2,
		      .holds = "at-most-k,fife,k-fcfs,no-deadlock,"
			       "no-starvation,bounded-doorway,bounded-leave,"
			       "quiescence,invariant");
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
		cmocka_unit_test(clh_keeps_its_promises_for_ever),
		cmocka_unit_test(
			at_most_k_refuses_a_clh_node_that_is_busy_too_late),
		cmocka_unit_test(
			no_deadlock_refuses_a_clh_that_uses_its_node_again),
		cmocka_unit_test(no_lost_wake_refuses_a_silent_leaver_of_clh),
		cmocka_unit_test(anderson_array_keeps_its_promises_for_ever),
		cmocka_unit_test(
			at_most_k_refuses_a_place_that_keeps_the_lock_or_is_shared),
		cmocka_unit_test(
			no_deadlock_refuses_a_place_that_loses_the_lock_late),
		cmocka_unit_test(
			no_lost_wake_refuses_a_silent_leaver_of_anderson_array),
		cmocka_unit_test(graunke_thakkar_keeps_its_promises_for_ever),
		cmocka_unit_test(
			no_deadlock_refuses_flags_that_do_not_alternate),
		cmocka_unit_test(
			at_most_k_refuses_a_flag_announced_as_it_will_be),
		cmocka_unit_test(
			no_lost_wake_refuses_a_silent_leaver_of_graunke_thakkar),
		cmocka_unit_test(yang_anderson_keeps_its_promises_for_ever),
		cmocka_unit_test(
			no_deadlock_refuses_a_yang_anderson_whose_rivals_are_not_told),
		cmocka_unit_test(
			at_most_k_refuses_a_yang_anderson_that_waits_too_little),
		cmocka_unit_test(
			at_most_k_refuses_mistakes_that_need_two_levels),
		cmocka_unit_test(
			no_lost_wake_refuses_both_missing_wakes_of_yang_anderson),
		cmocka_unit_test(peterson_tree_keeps_its_promises_for_ever),
		cmocka_unit_test(
			at_most_k_refuses_a_flag_that_is_raised_late_or_lowered_early),
		cmocka_unit_test(
			no_deadlock_refuses_a_peterson_tree_without_turns),
		cmocka_unit_test(
			no_lost_wake_refuses_both_missing_wakes_of_peterson_tree),
		cmocka_unit_test(decker_survives_k_minus_1_crashes),
		cmocka_unit_test(decker_does_not_survive_k_crashes),
		cmocka_unit_test(
			no_starvation_and_fife_refuse_a_leaver_that_enables_one_token),
		cmocka_unit_test(
			fife_and_invariant_refuse_tokens_enabled_in_descending_order),
		cmocka_unit_test(
			at_most_k_refuses_a_leaver_that_enables_one_token_more),
		cmocka_unit_test(no_deadlock_refuses_late_leavers_that_write),
		cmocka_unit_test(
			no_lost_wake_refuses_a_silent_leaver_of_decker),
	};

	return RUN(tests);
}
