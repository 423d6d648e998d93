/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks room and room-capture: their promises, the limits of these promises,
 * and the properties that refuse their twins. */
#include "check.h"

TEST(room_keeps_its_promises_over_one_large_step)
{
	(void)state;
	expect_holds("room/atomic-object", .n = 1, .passages = 3);
	expect_holds("room/atomic-object", .n = 3);
	expect_holds("room/atomic-object", .n = 3, .k = 1);
	expect_holds("room/atomic-object", .n = 3, .k = 2);
	expect_holds("room/atomic-object", .n = 3, .sessions = 3);
	expect_holds("room/atomic-object", .n = 3, .each = { 2, 1, 1 });
	expect_holds("room/atomic-object", .n = 2, .passages = 3, .aborts = 1);
}

TEST(room_recovers_the_dead)
{
	(void)state;
	expect_holds("room/atomic-object", .n = 2, .passages = 2, .aborts = 1,
		     .deaths = 2);
	expect_holds("room/atomic-object", .n = 2, .k = 1, .passages = 2,
		     .aborts = 1, .deaths = 1);
	expect_holds("room/atomic-object", .n = 3, .deaths = 1);
	expect_holds("room/atomic-object", .n = 3, .k = 1, .deaths = 1);
}

TEST(room_keeps_its_promises_over_the_real_construction)
{
	(void)state;
	expect_holds("room", .n = 1, .passages = 3, .deaths = 1);
	expect_holds("room", .n = 2);
	expect_holds("room", .n = 2, .k = 1, .aborts = 1);
	expect_holds("room", .n = 2, .deaths = 1,
		     .only = "session-exclusion,unique-slots,invariant,"
			     "quiescence");
}

TEST(room_changes_its_k)
{
	(void)state;
	expect_holds("room/atomic-object", .n = 3, .k = 1, .resize = { 2 });
	expect_holds("room/atomic-object", .n = 3, .k = 2, .resize = { 1 },
		     .deaths = 1, .aborts = 1);
	expect_holds("room/atomic-object", .n = 3, .k = 1, .passages = 2,
		     .resize = { 2, 1 });
	expect_holds("room", .n = 2, .k = 1, .resize = { 2 }, .deaths = 1);
}

TEST(room_capture_keeps_its_promises)
{
	(void)state;
	expect_holds("room-capture/atomic-object", .n = 3);
	expect_holds("room-capture/atomic-object", .n = 3, .k = 1);
	/* With three processes the bound on bypasses is 0.  With four it is 1,
	 * and room-capture differs from room. */
	expect_holds("room-capture/atomic-object", .n = 4,
		     .only = "bounded-bypass", .whole = true);
	expect_holds("room-capture/atomic-object", .n = 4, .only = "fife");
	expect_holds("room-capture/atomic-object", .n = 3, .sessions = 3);
	expect_holds("room-capture/atomic-object", .n = 3, .k = 2, .deaths = 1);
	expect_holds("room-capture/atomic-object", .n = 3, .k = 2,
		     .resize = { 1 }, .aborts = 1);
	expect_holds("room-capture", .n = 2);
}

/* The limits of the promises. */

TEST(one_crash_is_too_many)
{
	(void)state;
	expect_breaks("no-starvation", "room/atomic-object", .n = 2,
		      .crashes = 1,
		      .holds = "session-exclusion,no-deadlock,fife");
}

TEST(capturing_algorithms_do_not_keep_the_order_of_arrival)
{
	(void)state;
	expect_replays("fcfs",
		       "room-capture/atomic-object n=4 m=2 passages=1,1,1,1 "
		       "property=fcfs : 0@1 0 2@2 3@1 3 1@2 0*5 1*3");
	expect_replays("strong-concurrent-entering",
		       "room-capture/atomic-object n=4 m=2 passages=1,1,1,1 "
		       "property=strong-concurrent-entering : 0@1 0 1@2 1 2@1 "
		       "2 3@2 0*5 1*8");
}

TEST(impossible_questions_are_refused)
{
	(void)state;
	expect_refused("k-ticket cannot be the component of room",
		       "room/k-ticket", .n = 3);
	expect_refused("has no limit to change", "room", .n = 3,
		       .resize = { 2 });
	expect_refused("bounded-bypass: room states no bound", "room", .n = 3,
		       .only = "bounded-bypass");
}

/* Broken twins. */

TEST(the_state_machine_admits_all_processes_that_may_enter_and_no_others)
{
	(void)state;
	expect_breaks("strong-concurrent-entering",
		      "room~closed-door/atomic-object", .n = 3,
		      .only = "strong-concurrent-entering");
	expect_breaks("no-deadlock", "room~no-admit/atomic-object", .n = 2,
		      .only = "no-deadlock");
	expect_breaks("unique-slots", "room~counted-slot/atomic-object", .n = 3,
		      .only = "unique-slots");
}

TEST(the_bound_on_bypasses_holds_and_is_reached)
{
	(void)state;
	expect_breaks("bounded-bypass",
		      "room-capture~moving-horizon/atomic-object", .n = 3,
		      .only = "bounded-bypass");
	expect_breaks("bounded-bypass",
		      "room-capture~short-bypass/atomic-object", .n = 4,
		      .only = "bounded-bypass");
	expect_replays_file("bounded-bypass",
			    "room-capture-short-bypass.trace");
}

TEST(an_admitted_process_is_woken)
{
	(void)state;
	expect_breaks("no-lost-wake", "room~no-hand-over/atomic-object", .n = 2,
		      .holds = "no-deadlock,no-starvation,fife");
	expect_breaks("no-lost-wake", "room~plain-write/atomic-object", .n = 3,
		      .each = { 2, 1, 1 }, .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "room~no-catch-up/atomic-object", .n = 3,
		      .each = { 2, 1, 1 }, .aborts = 1, .only = "no-lost-wake");
	expect_replays_file("no-lost-wake", "room-silent-request.trace");
	expect_breaks("no-lost-wake", "room~wake-once/atomic-object", .n = 2,
		      .deaths = 1, .only = "no-lost-wake");
	expect_breaks("fife", "room~no-M3/atomic-object", .n = 3,
		      .only = "fife");
}

TEST(a_recoverer_first_finishes_the_announced_operation)
{
	(void)state;
	expect_breaks("quiescence", "room~no-recover", .n = 2, .deaths = 1,
		      .only = "quiescence");
	expect_breaks("quiescence", "room~no-resizer-recover", .n = 2, .k = 1,
		      .resize = { 2, 1 }, .deaths = 1, .only = "quiescence");
}

TEST(a_resize_sets_the_k_that_it_was_told)
{
	(void)state;
	expect_breaks("quiescence", "room~resize-short/atomic-object", .n = 2,
		      .k = 1, .resize = { 2 },
		      .holds = "at-most-k,session-exclusion,no-deadlock,"
			       "no-starvation,no-lost-wake,invariant");
}

TEST(room_breaks_over_a_construction_that_is_not_linearizable)
{
	(void)state;
	expect_breaks("session-exclusion", "room/wait-free-object~one-attempt",
		      .n = 2, .only = "session-exclusion");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_keeps_its_promises_over_one_large_step),
		cmocka_unit_test(room_recovers_the_dead),
		cmocka_unit_test(
			room_keeps_its_promises_over_the_real_construction),
		cmocka_unit_test(room_changes_its_k),
		cmocka_unit_test(room_capture_keeps_its_promises),
		cmocka_unit_test(one_crash_is_too_many),
		cmocka_unit_test(
			capturing_algorithms_do_not_keep_the_order_of_arrival),
		cmocka_unit_test(impossible_questions_are_refused),
		cmocka_unit_test(
			the_state_machine_admits_all_processes_that_may_enter_and_no_others),
		cmocka_unit_test(the_bound_on_bypasses_holds_and_is_reached),
		cmocka_unit_test(an_admitted_process_is_woken),
		cmocka_unit_test(
			a_recoverer_first_finishes_the_announced_operation),
		cmocka_unit_test(a_resize_sets_the_k_that_it_was_told),
		cmocka_unit_test(
			room_breaks_over_a_construction_that_is_not_linearizable),
	};

	return RUN(tests);
}
