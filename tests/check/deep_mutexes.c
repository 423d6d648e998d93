/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the abortable mutexes on instances that are too large for `make test`.
 */
#include "check.h"

/* Properties for which the checker counts no steps; a search for these has the
 * fewest states. */
static const char cheap[] = "at-most-k,fcfs,no-deadlock,no-starvation,"
			    "quiescence,invariant";

TEST(bakery_mutex_keeps_its_promises_with_three_processes_that_all_give_up)
{
	(void)state;
	expect_holds("bakery-mutex", .n = 3, .passages = 2, .aborts = 2);
	expect_holds("bakery-mutex", .n = 4);
}

TEST(tree_mutex_keeps_its_promises_with_four_passages)
{
	(void)state;
	expect_holds("tree-mutex", .n = 2, .passages = 4);
	expect_holds("tree-mutex", .n = 2, .passages = 4, .aborts = 1,
		     .only = cheap);
}

TEST(tree_mutex_keeps_its_promises_with_three_passages_that_all_give_up)
{
	(void)state;
	expect_holds("tree-mutex", .n = 2, .passages = 3, .aborts = 1);
	expect_holds("tree-mutex", .n = 2, .passages = 3, .aborts = 3);
}

TEST(tree_mutex_keeps_its_promises_with_three_processes)
{
	(void)state;
	expect_holds("tree-mutex", .n = 3, .only = cheap);
	expect_holds("tree-mutex", .n = 3, .only = "no-lost-wake");
	expect_holds("tree-mutex", .n = 3,
		     .only = "bounded-doorway,bounded-leave");
}

TEST(tree_mutex_keeps_its_promises_with_three_processes_that_may_give_up)
{
	(void)state;
	expect_holds("tree-mutex", .n = 3, .aborts = 1, .only = cheap);
}

/* In such small instances, these twins violate only the invariant I1. */
TEST(only_the_invariant_notices_requests_without_a_token)
{
	static const char others[] = "at-most-k,fcfs,no-deadlock,"
				     "no-starvation,quiescence";

	(void)state;
	expect_holds("tree-mutex~dead-is-empty", .n = 3, .only = others);
	expect_holds("tree-mutex~dead-is-oldest", .n = 3, .only = others);
}

TEST(the_registry_keeps_its_promises_with_two_passages_of_one_process)
{
	(void)state;
	expect_holds("toy-registry", .n = 3, .each = { 2, 1, 1 });
}

TEST(adaptive_mutex_keeps_its_promises_with_more_passages_and_aborts)
{
	(void)state;
	expect_holds("adaptive-mutex", .n = 2, .passages = 2, .aborts = 1);
	expect_holds("adaptive-mutex", .n = 2, .passages = 3);
}

/* In these instances three processes compete for two seats. */
TEST(adaptive_mutex_keeps_its_promises_with_three_processes)
{
	(void)state;
	expect_holds("adaptive-mutex", .n = 3, .only = cheap);
}

/* This instance has more states than most machines have room for. */
TEST(adaptive_mutex_with_three_processes_that_may_give_up_breaks_no_promise)
{
	(void)state;
	expect_no_violation("adaptive-mutex", .n = 3, .aborts = 1,
			    .only = "at-most-k,no-deadlock,quiescence,"
				    "invariant",
			    .seconds = 3600, .gigabytes = 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			bakery_mutex_keeps_its_promises_with_three_processes_that_all_give_up),
		cmocka_unit_test(
			tree_mutex_keeps_its_promises_with_four_passages),
		cmocka_unit_test(
			tree_mutex_keeps_its_promises_with_three_passages_that_all_give_up),
		cmocka_unit_test(
			tree_mutex_keeps_its_promises_with_three_processes),
		cmocka_unit_test(
			tree_mutex_keeps_its_promises_with_three_processes_that_may_give_up),
		cmocka_unit_test(
			only_the_invariant_notices_requests_without_a_token),
		cmocka_unit_test(
			the_registry_keeps_its_promises_with_two_passages_of_one_process),
		cmocka_unit_test(
			adaptive_mutex_keeps_its_promises_with_more_passages_and_aborts),
		cmocka_unit_test(
			adaptive_mutex_keeps_its_promises_with_three_processes),
		cmocka_unit_test(
			adaptive_mutex_with_three_processes_that_may_give_up_breaks_no_promise),
	};

	return RUN(tests);
}
