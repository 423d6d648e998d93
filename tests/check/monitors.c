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
			a_passage_is_progress_even_if_no_state_is_inside),
	};

	return RUN(tests);
}
