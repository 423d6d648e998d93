/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks room and room-capture longer than `make test` does.  Some of the
 * checks are stopped after ten minutes, even if the search is not complete. */
#include "check.h"

#define SAFETY \
	"at-most-k,session-exclusion,unique-slots,fcfs,quiescence,invariant"

TEST(room_keeps_its_promises_with_two_passages)
{
	(void)state;
	expect_holds("room/atomic-object", .n = 3, .passages = 2);
	expect_holds("room/atomic-object", .n = 3, .k = 1, .passages = 2);
	expect_holds("room/atomic-object", .n = 3, .k = 2, .passages = 2);
	expect_holds("room/atomic-object", .n = 3, .sessions = 3,
		     .passages = 2);
	expect_holds("room-capture/atomic-object", .n = 3, .passages = 2);
	expect_holds("room", .n = 2, .passages = 2);
}

TEST(room_keeps_its_promises_with_four_processes)
{
	(void)state;
	expect_holds("room/atomic-object", .n = 4);
	expect_holds("room/atomic-object", .n = 4, .k = 1);
	expect_holds("room/atomic-object", .n = 4, .k = 2);
	expect_holds("room-capture/atomic-object", .n = 4);
	expect_holds("room-capture/atomic-object", .n = 4, .k = 2);
	expect_no_violation("room-capture/atomic-object", .n = 4,
			    .each = { 2, 1, 1, 1 },
			    .only = "bounded-bypass,fife", .seconds = 600,
			    .gigabytes = 10);
}

TEST(room_recovers_the_dead)
{
	(void)state;
	expect_holds("room/atomic-object", .n = 3, .deaths = 1, .aborts = 1);
	expect_holds("room/atomic-object", .n = 3, .k = 2, .deaths = 2);
	expect_holds("room/atomic-object", .n = 3, .passages = 2, .deaths = 1);
	expect_holds("room/atomic-object", .n = 4, .k = 2, .resize = { 1, 2 });
	expect_holds("room", .n = 2, .deaths = 1, .aborts = 1);
	expect_no_violation("room", .n = 2, .deaths = 2, .only = SAFETY,
			    .seconds = 600, .gigabytes = 10);
	expect_no_violation("room", .n = 2, .passages = 2, .deaths = 1,
			    .only = SAFETY, .seconds = 600, .gigabytes = 10);
}

TEST(room_shows_no_violation_over_the_real_construction_with_three_processes)
{
	(void)state;
	expect_no_violation("room", .n = 3, .only = SAFETY, .seconds = 600,
			    .gigabytes = 10);
	expect_no_violation("room", .n = 3, .k = 1, .only = "no-lost-wake",
			    .seconds = 600, .gigabytes = 10);
	expect_no_violation("room-capture", .n = 3,
			    .only = "session-exclusion,unique-slots,fife,"
				    "bounded-bypass,quiescence,invariant",
			    .seconds = 600, .gigabytes = 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_keeps_its_promises_with_two_passages),
		cmocka_unit_test(room_keeps_its_promises_with_four_processes),
		cmocka_unit_test(room_recovers_the_dead),
		cmocka_unit_test(
			room_shows_no_violation_over_the_real_construction_with_three_processes),
	};

	return RUN(tests);
}
