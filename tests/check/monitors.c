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
	/* the shrinking: in both states the limit is 2 */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
