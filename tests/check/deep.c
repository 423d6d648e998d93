/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks instances that are too large for `make test`; `make check-deep` runs
 * them.
 */
#include "check.h"

TEST(dijkstra_keeps_its_promises_with_four_processes_for_ever)
{
	(void)state;
	expect_holds("dijkstra", .n = 4, .passages = -1);
	expect_breaks("no-starvation", "dijkstra", .n = 4, .passages = -1,
		      .holds = "at-most-k,no-deadlock,bounded-leave");
}

TEST(bakery_keeps_its_promises_with_three_passages)
{
	(void)state;
	expect_holds("bakery", .n = 2, .passages = 6);
	expect_holds("bakery", .n = 3, .passages = 3);
	expect_holds("bakery", .n = 4, .passages = 1);
}

TEST(queue_mutex_keeps_its_promises_with_four_processes_and_many_aborts)
{
	(void)state;
	expect_holds("queue-mutex", .n = 4, .passages = -1);
	expect_holds("queue-mutex", .n = 4, .passages = 2, .aborts = 2);
	expect_holds("queue-mutex", .n = 5, .passages = 1, .aborts = 1);
}

TEST(k_ticket_keeps_its_promises_with_five_processes)
{
	(void)state;
	expect_holds("k-ticket", .n = 4, .k = 2, .passages = 5);
	expect_holds("k-ticket", .n = 5, .k = 2, .passages = 2);
	expect_holds("k-ticket", .n = 5, .k = 4, .passages = 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			dijkstra_keeps_its_promises_with_four_processes_for_ever),
		cmocka_unit_test(bakery_keeps_its_promises_with_three_passages),
		cmocka_unit_test(
			queue_mutex_keeps_its_promises_with_four_processes_and_many_aborts),
		cmocka_unit_test(
			k_ticket_keeps_its_promises_with_five_processes),
	};

	return RUN(tests);
}
