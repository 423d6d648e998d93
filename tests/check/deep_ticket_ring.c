/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks ticket-ring longer than `make test` does.  Some of the checks are
 * stopped after ten minutes, even if the search is not complete.
 */
#include "check.h"

#define SAFETY "at-most-k,unique-slots,k-fcfs,quiescence,invariant"
#define MOST SAFETY ",no-deadlock,no-starvation,fife"

TEST(ticket_ring_keeps_its_promises_with_two_processes)
{
	(void)state;
	expect_no_violation("ticket-ring", .n = 2, .k = 1, .passages = 2,
			    .seconds = 600, .gigabytes = 10);
	expect_holds("ticket-ring", .n = 2, .k = 1, .deaths = 1, .aborts = 1);
	expect_no_violation("ticket-ring", .n = 2, .k = 1, .each = { 2, 1 },
			    .deaths = 1, .seconds = 600, .gigabytes = 10);
}

TEST(ticket_ring_keeps_its_promises_with_three_processes)
{
	(void)state;
	expect_no_violation("ticket-ring", .n = 3, .k = 2, .only = MOST,
			    .seconds = 600, .gigabytes = 10);
	expect_no_violation("ticket-ring", .n = 3, .k = 2, .seconds = 600,
			    .only = "no-lost-wake", .gigabytes = 10);
	expect_no_violation("ticket-ring", .n = 3, .k = 1, .only = MOST,
			    .seconds = 600, .gigabytes = 10);
	expect_no_violation("ticket-ring", .n = 3, .k = 2, .aborts = 1,
			    .only = MOST, .seconds = 600, .gigabytes = 10);
	expect_no_violation("ticket-ring", .n = 3, .k = 2, .deaths = 1,
			    .only = MOST, .seconds = 600, .gigabytes = 10);
}

TEST(ticket_ring_changes_its_k_again_and_again)
{
	(void)state;
	expect_no_violation("ticket-ring", .n = 3, .k = 2, .resize = { 1, 2 },
			    .only = SAFETY, .seconds = 600, .gigabytes = 10);
	expect_no_violation("ticket-ring", .n = 3, .k = 1, .resize = { 2, 1 },
			    .only = SAFETY, .seconds = 600, .gigabytes = 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			ticket_ring_keeps_its_promises_with_two_processes),
		cmocka_unit_test(
			ticket_ring_keeps_its_promises_with_three_processes),
		cmocka_unit_test(ticket_ring_changes_its_k_again_and_again),
	};

	return RUN(tests);
}
