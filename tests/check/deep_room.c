/* SPDX-License-Identifier: BSD-2-Clause */
/* room and room-capture: what takes longer, some of it as far as ten minutes
 * go. */
#include "check.h"

#define SAFETY \
	"at-most-k,session-exclusion,unique-slots,fcfs,quiescence,invariant"

TEST(room_keeps_its_promises_twice)
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

TEST(room_lets_in_four)
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

TEST(room_over_the_real_construction_with_three)
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
		cmocka_unit_test(room_keeps_its_promises_twice),
		cmocka_unit_test(room_lets_in_four),
		cmocka_unit_test(room_recovers_the_dead),
		cmocka_unit_test(room_over_the_real_construction_with_three),
	};

	return RUN(tests);
}
