/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks shared objects: the wait-free construction with ids as names, the same
 * construction with the names of a k-assignment, and the atomic reference.  The
 * tests check every promise, and a broken twin for every line. */
#include "check.h"

/* Properties that need no search for cycles: a search for these has the fewest
 * states. */
static const char searched[] = "linearizable,invariant,bounded-apply";

TEST(atomic_object_keeps_its_promises)
{
	(void)state;
	expect_holds("atomic-object", .n = 4, .passages = 2);
	expect_holds("atomic-object", .n = 3, .passages = 2, .deaths = 2);
}

TEST(wait_free_object_is_linearizable_and_bounded)
{
	(void)state;
	expect_holds("wait-free-object", .n = 1, .passages = 3);
	expect_holds("wait-free-object", .n = 2, .passages = 3);
	expect_holds("wait-free-object", .n = 3);
}

TEST(wait_free_object_survives_all_crashes_but_one)
{
	(void)state;
	expect_holds("wait-free-object", .n = 2, .passages = 2, .crashes = 1);
	expect_holds("wait-free-object", .n = 3, .crashes = 2);
}

TEST(wait_free_object_knows_the_outcome_of_a_dead_process)
{
	(void)state;
	expect_holds("wait-free-object", .n = 2, .passages = 2, .deaths = 1);
	expect_holds("wait-free-object", .n = 2, .passages = 2, .deaths = 2);
}

TEST(the_bounds_of_apply_and_finish_are_reached)
{
	(void)state;
	expect_breaks("bounded-apply", "wait-free-object~short-apply", .n = 2,
		      .passages = 3,
		      .holds = "linearizable,invariant,quiescence");
	expect_breaks("bounded-apply", "wait-free-object~short-finish", .n = 2,
		      .passages = 2, .deaths = 1,
		      .holds = "linearizable,invariant,quiescence");
}

TEST(a_register_and_a_queue_are_made_the_same_way)
{
	(void)state;
	expect_holds("toy-object-register", .n = 2, .passages = 2);
	expect_holds("toy-object-queue", .n = 2, .passages = 2);
}

TEST(the_pending_operation_of_a_dead_process_can_be_withdrawn)
{
	(void)state;
	expect_holds("toy-object-withdrawn", .n = 2, .passages = 2,
		     .deaths = 1);
	expect_holds("toy-object-withdrawn", .n = 2, .deaths = 2);
}

TEST(an_undisturbed_read_is_consistent_and_an_unchecked_one_is_not)
{
	(void)state;
	expect_holds("toy-object-reader", .n = 2, .each = { 3, 2 });
	expect_breaks("linearizable", "toy-hasty-reader", .n = 2,
		      .each = { 3, 1 }, .only = "linearizable,invariant",
		      .holds = "invariant");
}

/* Twins of the construction, in the order of its lines. */

TEST(a_toggle_follows_the_announcement_and_is_turned_by_an_addition)
{
	(void)state;
	expect_breaks("linearizable", "wait-free-object~5-before-2", .n = 2,
		      .passages = 2, .only = "linearizable");
	expect_breaks("invariant", "wait-free-object~5-before-2", .n = 2,
		      .passages = 3, .only = "invariant");
	expect_breaks("linearizable", "wait-free-object~5-write", .n = 2,
		      .only = "linearizable");
}

TEST(two_attempts_are_needed_and_they_read_the_toggles_last)
{
	(void)state;
	expect_breaks("linearizable", "wait-free-object~one-attempt", .n = 2,
		      .passages = 2, .holds = "invariant");
	expect_holds("wait-free-object~8-before-6", .n = 2, .passages = 2);
	expect_breaks("linearizable", "wait-free-object~8-before-6", .n = 3,
		      .only = "linearizable");
}

TEST(without_a_last_read_of_current_the_function_gets_torn_words)
{
	(void)state;
	expect_breaks("invariant", "wait-free-object~no-10", .n = 2,
		      .passages = 3, .only = "invariant");
	expect_breaks("linearizable", "wait-free-object~no-10", .n = 2,
		      .passages = 3, .only = "linearizable");
	expect_breaks("invariant", "wait-free-object~10-before-8", .n = 2,
		      .passages = 3, .holds = "linearizable,quiescence");
}

TEST(a_record_is_never_written_while_it_is_published)
{
	(void)state;
	expect_breaks("invariant", "wait-free-object~one-record", .n = 2,
		      .passages = 2, .only = "invariant");
	expect_breaks("linearizable", "wait-free-object~one-record", .n = 2,
		      .passages = 3, .only = "linearizable");
}

TEST(publishing_compares_index_and_version)
{
	(void)state;
	expect_breaks("linearizable", "wait-free-object~12-swap", .n = 2,
		      .passages = 2, .only = "linearizable");
	expect_breaks("linearizable", "wait-free-object~no-version", .n = 2,
		      .passages = 3, .only = "linearizable");
}

TEST(the_applied_operations_are_those_that_were_read)
{
	(void)state;
	expect_breaks("linearizable", "wait-free-object~applied-late", .n = 2,
		      .only = "linearizable");
}

TEST(after_two_failures_the_published_record_is_read_again)
{
	(void)state;
	expect_breaks("linearizable", "wait-free-object~no-13", .n = 2,
		      .passages = 3, .holds = "invariant");
}

TEST(the_second_announcement_is_for_recovery_alone)
{
	(void)state;
	expect_holds("wait-free-object~one-entry", .n = 2, .passages = 3);
	expect_breaks("linearizable", "wait-free-object~one-entry", .n = 2,
		      .deaths = 1, .only = "linearizable");
}

TEST(recovery_finishes_and_does_nothing_else)
{
	(void)state;
	expect_breaks("linearizable", "wait-free-object~recover-anew", .n = 2,
		      .deaths = 1, .only = "linearizable");
	expect_breaks("linearizable", "wait-free-object~recover-toggles",
		      .n = 2, .deaths = 1, .only = "linearizable");
	expect_breaks("linearizable", "wait-free-object~recover-undoes", .n = 2,
		      .passages = 2, .deaths = 1, .only = "linearizable");
	expect_breaks("linearizable", "wait-free-object~no-R3", .n = 2,
		      .passages = 2, .deaths = 1, .only = "linearizable");
}

/* The construction with the names of a k-assignment. */

TEST(resilient_object_keeps_its_promises)
{
	(void)state;
	expect_holds("resilient-object", .n = 2, .k = 1);
	expect_holds("resilient-object", .n = 2, .k = 2);
	expect_holds("resilient-object/renaming/k-ticket", .n = 3, .k = 1);
	expect_holds("resilient-object/renaming/k-ticket", .n = 3, .k = 2);
	expect_holds("resilient-object/renaming/am-induction", .n = 3, .k = 2);
}

TEST(resilient_object_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "resilient-object/renaming/k-ticket",
		      .n = 3, .k = 2, .crashes = 2,
		      .holds = "linearizable,invariant,bounded-apply");
}

TEST(resilient_object_recovers_the_dead)
{
	(void)state;
	expect_holds("resilient-object", .n = 1, .k = 1, .passages = 2,
		     .deaths = 1);
	expect_holds("resilient-object", .n = 2, .k = 2, .deaths = 1,
		     .only = searched);
	expect_holds("resilient-object", .n = 2, .k = 1, .deaths = 1,
		     .only = searched);
}

TEST(a_recoverer_uses_a_name_that_no_other_process_has)
{
	(void)state;
	expect_breaks("linearizable", "resilient-object~no-H1", .n = 2, .k = 1,
		      .each = { 1, 2 }, .deaths = 1, .only = "linearizable");
	expect_breaks("linearizable", "resilient-object~no-finish", .n = 2,
		      .k = 1, .each = { 1, 2 }, .deaths = 1,
		      .only = "linearizable");
	expect_breaks("invariant", "resilient-object~H2-last", .n = 2, .k = 1,
		      .deaths = 1, .only = "invariant");
	expect_breaks("invariant", "resilient-object~H3-last", .n = 2, .k = 1,
		      .deaths = 2, .only = "invariant");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(atomic_object_keeps_its_promises),
		cmocka_unit_test(wait_free_object_is_linearizable_and_bounded),
		cmocka_unit_test(wait_free_object_survives_all_crashes_but_one),
		cmocka_unit_test(
			wait_free_object_knows_the_outcome_of_a_dead_process),
		cmocka_unit_test(the_bounds_of_apply_and_finish_are_reached),
		cmocka_unit_test(a_register_and_a_queue_are_made_the_same_way),
		cmocka_unit_test(
			the_pending_operation_of_a_dead_process_can_be_withdrawn),
		cmocka_unit_test(
			an_undisturbed_read_is_consistent_and_an_unchecked_one_is_not),
		cmocka_unit_test(
			a_toggle_follows_the_announcement_and_is_turned_by_an_addition),
		cmocka_unit_test(
			two_attempts_are_needed_and_they_read_the_toggles_last),
		cmocka_unit_test(
			without_a_last_read_of_current_the_function_gets_torn_words),
		cmocka_unit_test(
			a_record_is_never_written_while_it_is_published),
		cmocka_unit_test(publishing_compares_index_and_version),
		cmocka_unit_test(
			the_applied_operations_are_those_that_were_read),
		cmocka_unit_test(
			after_two_failures_the_published_record_is_read_again),
		cmocka_unit_test(the_second_announcement_is_for_recovery_alone),
		cmocka_unit_test(recovery_finishes_and_does_nothing_else),
		cmocka_unit_test(resilient_object_keeps_its_promises),
		cmocka_unit_test(resilient_object_does_not_survive_k_crashes),
		cmocka_unit_test(resilient_object_recovers_the_dead),
		cmocka_unit_test(
			a_recoverer_uses_a_name_that_no_other_process_has),
	};

	return RUN(tests);
}
