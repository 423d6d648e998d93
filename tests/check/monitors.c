/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests what the monitors of the checker see and remember.  Each toy of these
 * tests breaks one rule of one property; if the checker did not apply that
 * rule, no other rule would refuse the toy.
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

TEST(a_passage_is_progress_even_if_no_state_is_inside)
{
	(void)state;
	expect_breaks("no-starvation", "toy-quick-reply", .n = 3,
		      .passages = -1, .holds = "no-deadlock,linearizable");
	expect_breaks("no-deadlock", "toy-shy-reply", .n = 2, .passages = -1,
		      .holds = "linearizable");
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
		cmocka_unit_test(
			a_passage_is_progress_even_if_no_state_is_inside),
	};

	return RUN(tests);
}
