/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests what the monitors of the checker see and remember.  Each toy algorithm
 * of these tests breaks only one rule of one property.  So the checker refuses
 * the toy only if it applies that rule.
 */
#include "check.h"

TEST(no_starvation_refuses_a_recovery_that_never_ends)
{
	(void)state;
	expect_holds("toy-endless-recover", .n = 2);
	expect_breaks("no-starvation,no-deadlock", "toy-endless-recover",
		      .n = 2, .deaths = 1, .holds = "bounded-leave");
	expect_replays("no-starvation", "toy-endless-recover n=2 deaths=1 "
					": 0 0d 0 | 0");
}

TEST(no_starvation_refuses_a_process_that_settles_for_ever)
{
	(void)state;
	expect_breaks("no-starvation,no-deadlock", "toy-endless-settle", .n = 2,
		      .holds = "bounded-doorway,bounded-leave");
	expect_replays("no-starvation", "toy-endless-settle n=2 : 0 | 0");
}

TEST(no_starvation_refuses_an_operation_that_never_ends)
{
	(void)state;
	expect_breaks("no-starvation,no-deadlock", "toy-endless-apply", .n = 2,
		      .holds = "linearizable");
	expect_replays("no-starvation", "toy-endless-apply n=2 "
					"property=no-starvation : "
					"0 1 1 | 0");
}

static struct lab_answer answer_to(struct lab_question q)
{
	char error[LAB_ERROR];
	struct lab_check *c;
	struct lab_answer a;

	q.k = q.sessions = q.crashes = q.deaths = q.aborts = -1;
	q.memory = (uint64_t)1 << 30;
	c = lab_check_start(&q, error);
	if (!c)
		fail_msg("%s", error);
	while (lab_check_advance(c, 3600, NULL))
		;
	a = *lab_check_answer(c);
	/* lab_check_end makes the pointers of the answer invalid. */
	a.schedule = NULL;
	a.step = NULL;
	lab_check_end(c);
	return a;
}

/* Otherwise the checker would count the steps of the endless operation until
 * its counter overflows. */
TEST(no_state_follows_an_operation_with_too_many_steps)
{
	unsigned bounded_apply = 1u << lab_property_number("bounded-apply");
	struct lab_answer a = answer_to(
		(struct lab_question){ .algorithm = "toy-endless-apply",
				       .n = 2,
				       .properties = bounded_apply });

	(void)state;
	assert_int_equal(a.violated, bounded_apply);
	assert_in_range(a.states, 5, 50);
}

TEST(bounded_abort_counts_the_steps_of_giving_up)
{
	(void)state;
	expect_breaks("bounded-abort", "toy-long-abort", .n = 2, .aborts = 1,
		      .holds = "no-deadlock,no-starvation,no-lost-wake");
}

TEST(bounded_doorway_refuses_a_process_that_waits_in_its_doorway)
{
	(void)state;
	expect_breaks("bounded-doorway", "toy-waiting-doorway", .n = 2,
		      .holds = "at-most-k,no-deadlock,no-starvation,"
			       "no-lost-wake");
}

TEST(bounded_apply_refuses_a_process_that_waits_in_its_operation)
{
	(void)state;
	expect_breaks("bounded-apply", "toy-locked-counter", .n = 2,
		      .holds = "no-deadlock,no-starvation,no-lost-wake,"
			       "linearizable");
}

TEST(unique_slots_refuses_the_slot_k)
{
	(void)state;
	expect_breaks("unique-slots", "toy-slots-from-one", .n = 2,
		      .holds = "at-most-k,fife,no-deadlock,no-starvation,"
			       "no-lost-wake");
}

TEST(concurrent_entering_includes_the_last_of_k_places)
{
	(void)state;
	expect_breaks("concurrent-entering,strong-concurrent-entering",
		      "toy-last-place", .n = 2, .k = 2,
		      .only = "concurrent-entering,strong-concurrent-entering");
	expect_holds("toy-last-place", .n = 3, .k = 2);
	expect_holds("toy-last-place", .n = 3, .k = 1,
		     .also = "concurrent-entering,strong-concurrent-entering");
}

TEST(strong_concurrent_entering_remembers_that_a_process_inside_came_later)
{
	(void)state;
	expect_breaks("strong-concurrent-entering", "toy-barging-room", .n = 2,
		      .holds = "session-exclusion,concurrent-entering,"
			       "no-deadlock,bounded-leave,no-lost-wake");
}

TEST(fife_counts_the_steps_of_an_overtaken_process)
{
	(void)state;
	expect_breaks("fife", "toy-slow-entry", .n = 3, .k = 2,
		      .holds = "at-most-k,k-fcfs,no-deadlock,no-starvation,"
			       "no-lost-wake");
}

TEST(fife_judges_every_transition_that_overtakes_a_process)
{
	(void)state;
	expect_breaks("fife", "toy-two-ways", .n = 3, .k = 3, .workers = 1,
		      .no_crashes = true,
		      .holds = "at-most-k,no-deadlock,no-starvation");
	expect_replays("fife", "toy-two-ways n=3 k=3 : 2 1 2 0");
}

TEST(a_process_is_blocked_if_a_torn_read_may_block_it)
{
	(void)state;
	expect_holds("toy-torn-flag", .n = 2, .no_crashes = true);
	expect_breaks("no-starvation", "toy-torn-flag", .n = 2, .crashes = 1,
		      .holds = "no-deadlock");
}

TEST(a_state_with_too_many_transitions_leaves_the_check_undecided)
{
	struct lab_question q = { .algorithm = "toy-wide-register", .n = 3 };
	struct lab_answer a = answer_to(q);

	(void)state;
	assert_int_equal(a.verdict, LAB_HOLDS);
	q.n = 4;
	a = answer_to(q);
	assert_int_equal(a.verdict, LAB_BOUNDED);
	assert_int_equal(a.undecided, a.asked);
	assert_string_equal(a.bound, "transitions");
}

TEST(a_passage_is_progress_even_if_no_state_is_inside)
{
	(void)state;
	expect_breaks("no-starvation", "toy-quick-reply", .n = 3,
		      .passages = -1, .holds = "no-deadlock,linearizable");
	expect_breaks("no-deadlock", "toy-shy-reply", .n = 2, .passages = -1,
		      .holds = "linearizable");
}

/* For each part of the monitors' memory, one of these instances has two
 * reachable states that differ only in this part. */
TEST(the_fingerprint_includes_everything_that_the_monitors_remember)
{
	(void)state;
	/* the overtaken processes */
	expect_holds("toy-elastic", .n = 2, .k = 2, .also = "fife",
		     .find_collisions = true);
	/* the limit: in both states k has shrunk to 1, from 3 or from 2 */
	expect_holds("toy-elastic", .n = 3, .k = 3, .resize = { 2, 1 },
		     .find_collisions = true);
	/* the flag `shrinking`: in both states the limit is 2 */
	expect_holds("toy-elastic", .n = 3, .k = 2, .resize = { 1, 2 },
		     .find_collisions = true);
	/* the number of deaths */
	expect_holds("toy-elastic", .n = 2, .k = 1, .deaths = 2,
		     .find_collisions = true);
	/* the order of arrival */
	expect_holds("toy-considerate-room", .n = 3, .find_collisions = true);
	/* the number of bypasses */
	expect_holds("toy-barging-room", .n = 2, .passages = 2,
		     .also = "bounded-bypass", .find_collisions = true);
	/* the operations of the history */
	expect_holds("toy-add-or-set", .n = 2, .deaths = 1, .passages = 2,
		     .find_collisions = true);
}

/* mcs promises the weaker of the two properties, the other queue locks promise
 * both. */
TEST(exit_termination_refuses_a_leave_that_may_fail_for_ever)
{
	(void)state;
	expect_breaks("exit-termination", "toy-retrying-leave", .n = 3, .k = 2,
		      .passages = -1,
		      .holds = "at-most-k,no-deadlock,bounded-leave,"
			       "no-lost-wake,quiescence");
	expect_holds("toy-retrying-leave", .n = 3, .k = 1, .passages = -1);
	expect_replays("exit-termination",
		       "toy-retrying-leave n=2 k=2 passages=0,0 "
		       "property=exit-termination : "
		       "0*4 | 1*3 0*2 1*2 0*2");
	expect_breaks("bounded-leave", "mcs", .n = 3, .passages = -1,
		      .holds = "exit-termination,no-starvation");
	expect_refused("has no leave", "wait-free-object", .n = 2,
		       .only = "exit-termination");
}

TEST(exit_termination_refuses_a_leaver_that_waits_for_a_crashed_process)
{
	(void)state;
	expect_breaks("exit-termination", "mcs", .n = 2, .crashes = 1,
		      .only = "exit-termination", .most_steps = 6);
}

/* A process must not wait if only processes inside could let it go on. */
TEST(concurrent_occupancy_refuses_waiting_until_a_process_leaves)
{
	(void)state;
	expect_breaks("concurrent-occupancy", "toy-fidget-room", .n = 3,
		      .holds = "session-exclusion,concurrent-entering,"
			       "no-deadlock,no-starvation,bounded-leave,"
			       "exit-termination,bounded-abort,no-lost-wake");
	expect_replays("concurrent-occupancy",
		       "toy-fidget-room n=2 m=1 "
		       "property=concurrent-occupancy : 0@1 1@1 1 | 0");
	expect_breaks("concurrent-occupancy", "toy-one-by-one", .n = 2,
		      .only = "concurrent-occupancy", .most_steps = 3);
	expect_refused("has no sessions", "k-ticket", .n = 2,
		       .only = "concurrent-occupancy");
}

TEST(concurrent_occupancy_allows_waiting_for_a_process_that_enters_or_leaves)
{
	(void)state;
	expect_breaks("concurrent-entering,bounded-leave", "toy-guarded-room",
		      .n = 3, .also = "concurrent-entering,bounded-leave",
		      .holds = "session-exclusion,concurrent-occupancy,"
			       "no-deadlock,no-starvation,exit-termination,"
			       "no-lost-wake");
}

TEST(no_wait_below_k_refuses_a_lock_with_one_place_less)
{
	(void)state;
	expect_breaks("no-wait-below-k", "k-ticket~one-less", .n = 3, .k = 2,
		      .passages = 2, .no_crashes = true,
		      .holds = "at-most-k,fife,k-fcfs,no-deadlock,"
			       "no-starvation,bounded-doorway,bounded-leave,"
			       "exit-termination,no-lost-wake,prompt-wake,"
			       "quiescence,invariant");
	expect_breaks("no-wait-below-k", "k-ticket~one-less", .n = 2, .k = 2,
		      .only = "no-wait-below-k", .most_steps = 2);
	expect_refused("may wait for another session", "room", .n = 2,
		       .only = "no-wait-below-k");
}

/* The process is never blocked, but its steps may never end. */
TEST(no_wait_below_k_refuses_steps_that_never_end)
{
	(void)state;
	expect_breaks("no-wait-below-k", "toy-retrying-leave", .n = 2, .k = 2,
		      .passages = -1, .only = "no-wait-below-k");
	expect_replays("no-wait-below-k",
		       "toy-retrying-leave n=2 k=2 passages=0,0 "
		       "property=no-wait-below-k : 0*4 | 1*3 0*2 1*2 0*2");
	expect_holds("toy-retrying-leave", .n = 3, .k = 1, .passages = -1,
		     .only = "no-wait-below-k");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			exit_termination_refuses_a_leave_that_may_fail_for_ever),
		cmocka_unit_test(
			exit_termination_refuses_a_leaver_that_waits_for_a_crashed_process),
		cmocka_unit_test(
			concurrent_occupancy_refuses_waiting_until_a_process_leaves),
		cmocka_unit_test(
			concurrent_occupancy_allows_waiting_for_a_process_that_enters_or_leaves),
		cmocka_unit_test(
			no_wait_below_k_refuses_a_lock_with_one_place_less),
		cmocka_unit_test(no_wait_below_k_refuses_steps_that_never_end),
		cmocka_unit_test(
			no_starvation_refuses_a_recovery_that_never_ends),
		cmocka_unit_test(
			no_starvation_refuses_a_process_that_settles_for_ever),
		cmocka_unit_test(
			no_starvation_refuses_an_operation_that_never_ends),
		cmocka_unit_test(
			no_state_follows_an_operation_with_too_many_steps),
		cmocka_unit_test(bounded_abort_counts_the_steps_of_giving_up),
		cmocka_unit_test(
			bounded_doorway_refuses_a_process_that_waits_in_its_doorway),
		cmocka_unit_test(
			bounded_apply_refuses_a_process_that_waits_in_its_operation),
		cmocka_unit_test(unique_slots_refuses_the_slot_k),
		cmocka_unit_test(
			concurrent_entering_includes_the_last_of_k_places),
		cmocka_unit_test(
			strong_concurrent_entering_remembers_that_a_process_inside_came_later),
		cmocka_unit_test(fife_counts_the_steps_of_an_overtaken_process),
		cmocka_unit_test(
			fife_judges_every_transition_that_overtakes_a_process),
		cmocka_unit_test(
			a_process_is_blocked_if_a_torn_read_may_block_it),
		cmocka_unit_test(
			a_state_with_too_many_transitions_leaves_the_check_undecided),
		cmocka_unit_test(
			a_passage_is_progress_even_if_no_state_is_inside),
		cmocka_unit_test(
			the_fingerprint_includes_everything_that_the_monitors_remember),
	};

	return RUN(tests);
}
