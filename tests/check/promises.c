/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the promises of algorithms that belong to no family, on the largest
 * instances with a few million states, and the limits of these promises.  Each
 * family has its own file. */
#include "check.h"

TEST(dijkstra_excludes_and_progresses)
{
	(void)state;
	expect_holds("dijkstra", .n = 3, .passages = 2);
	expect_holds("dijkstra", .n = 3, .passages = -1);
	expect_holds("dijkstra", .n = 4, .passages = 1);
}

TEST(dijkstra_starves_while_exclusion_and_progress_hold)
{
	(void)state;
	expect_breaks("no-starvation", "dijkstra", .n = 2, .passages = -1,
		      .holds = "at-most-k,no-deadlock,bounded-leave");
	expect_breaks("no-starvation", "dijkstra", .n = 3, .passages = -1,
		      .holds = "at-most-k,no-deadlock,bounded-leave");
}

TEST(bakery_keeps_its_promises_over_safe_registers)
{
	(void)state;
	expect_holds("bakery", .n = 2, .passages = 3);
	expect_holds("bakery", .n = 3, .passages = 2);
}

TEST(queue_mutex_keeps_its_promises_with_aborts)
{
	(void)state;
	expect_holds("queue-mutex", .n = 3, .passages = -1);
	expect_holds("queue-mutex", .n = 4, .passages = 3);
	expect_holds("queue-mutex", .n = 3, .passages = 3, .aborts = 2);
	expect_holds("queue-mutex", .n = 4, .passages = 1, .aborts = 1);
}

TEST(k_ticket_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("k-ticket", .n = 3, .k = 1, .passages = 4);
	expect_holds("k-ticket", .n = 3, .k = 2, .passages = 4);
	expect_holds("k-ticket", .n = 4, .k = 2, .passages = 3);
	expect_holds("k-ticket", .n = 4, .k = 3, .passages = 3);
}

TEST(k_ticket_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "k-ticket", .n = 3, .k = 2, .crashes = 2,
		      .holds = "at-most-k,fife,no-deadlock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dijkstra_excludes_and_progresses),
		cmocka_unit_test(
			dijkstra_starves_while_exclusion_and_progress_hold),
		cmocka_unit_test(bakery_keeps_its_promises_over_safe_registers),
		cmocka_unit_test(queue_mutex_keeps_its_promises_with_aborts),
		cmocka_unit_test(k_ticket_survives_k_minus_1_crashes),
		cmocka_unit_test(k_ticket_does_not_survive_k_crashes),
	};

	return RUN(tests);
}
