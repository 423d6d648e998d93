/* SPDX-License-Identifier: BSD-2-Clause */
/* For every property, tests/broken has an algorithm that violates it.  The
 * tests show that the checker finds this violation, and that the other
 * properties on the card of that algorithm hold. */
#include "check.h"

TEST(at_most_k_refuses_a_k_ticket_that_admits_one_more)
{
	(void)state;
	expect_breaks("at-most-k", "k-ticket~one-more", .n = 3, .k = 2,
		      .holds = "fife,no-deadlock,no-starvation,"
			       "bounded-doorway,bounded-leave,no-lost-wake,"
			       "quiescence,invariant");
}

TEST(at_most_k_refuses_dijkstra_without_its_last_read)
{
	(void)state;
	expect_breaks("at-most-k", "dijkstra~no-D5", .n = 2, .most_steps = 9);
}

TEST(at_most_k_refuses_a_bakery_without_its_choosing_flag)
{
	(void)state;
	expect_breaks("at-most-k", "bakery~no-doorway-wait", .n = 2,
		      .most_steps = 18,
		      .holds = "no-deadlock,no-starvation,no-lost-wake,"
			       "bounded-doorway,bounded-leave,fcfs,quiescence");
}

TEST(session_exclusion_refuses_an_algorithm_that_admits_all)
{
	(void)state;
	expect_breaks("session-exclusion", "toy-open-house", .n = 2,
		      .holds = "concurrent-entering,strong-concurrent-entering,"
			       "no-deadlock,no-starvation,bounded-leave");
}

TEST(unique_slots_refuses_a_counter_used_as_a_slot)
{
	(void)state;
	expect_breaks("unique-slots", "toy-crowded-slots", .n = 3, .k = 2,
		      .holds = "at-most-k,fife,no-deadlock,no-starvation,"
			       "no-lost-wake");
}

TEST(no_deadlock_refuses_two_processes_that_wait_for_each_other)
{
	(void)state;
	expect_breaks("no-deadlock", "toy-polite", .n = 2, .passages = -1,
		      .holds = "at-most-k,bounded-leave");
}

TEST(no_deadlock_refuses_a_livelock)
{
	(void)state;
	expect_breaks("no-deadlock", "toy-after-you", .n = 2, .passages = -1,
		      .holds = "at-most-k,bounded-leave");
	expect_breaks("no-deadlock", "toy-after-you", .n = 3, .passages = 1,
		      .holds = "at-most-k,bounded-leave");
}

TEST(no_starvation_shows_a_cycle_that_is_fair_by_itself)
{
	(void)state;
	expect_breaks("no-starvation", "toy-favourite", .n = 2, .passages = -1,
		      .holds = "no-deadlock,bounded-leave");
	expect_breaks("no-starvation", "toy-favourite", .n = 3, .passages = -1,
		      .holds = "no-deadlock,bounded-leave");
}

TEST(no_deadlock_and_no_starvation_refuse_an_unsigned_difference)
{
	(void)state;
	expect_breaks("no-deadlock,no-starvation", "k-ticket~unsigned", .n = 3,
		      .k = 2, .no_crashes = true, .most_steps = 4,
		      .holds = "at-most-k,bounded-doorway,bounded-leave");
}

TEST(no_starvation_refuses_barging_by_a_fair_cycle)
{
	(void)state;
	expect_breaks("no-starvation", "toy-barging", .n = 2, .passages = -1,
		      .holds = "at-most-k,no-deadlock,bounded-leave");
	expect_holds("toy-barging", .n = 3, .passages = -1);
}

TEST(no_starvation_and_quiescence_refuse_half_a_recovery)
{
	(void)state;
	expect_holds("k-bakery~short-recovery", .n = 2, .k = 1, .passages = 2);
	expect_breaks("no-starvation", "k-bakery~short-recovery", .n = 2,
		      .k = 1, .deaths = 1, .holds = "at-most-k,k-fcfs");
	expect_breaks("quiescence", "k-bakery~short-recovery", .n = 2, .k = 1,
		      .deaths = 1);
}

TEST(no_lost_wake_refuses_a_missing_wake)
{
	(void)state;
	expect_breaks("no-lost-wake", "k-ticket~no-wake", .n = 2, .k = 1,
		      .holds = "at-most-k,fife,k-fcfs,no-deadlock,"
			       "no-starvation,bounded-doorway,bounded-leave,"
			       "quiescence,invariant");
	expect_breaks("no-lost-wake", "k-bakery~no-wake", .n = 2, .k = 1,
		      .holds = "at-most-k,k-fcfs,no-deadlock,no-starvation,"
			       "bounded-doorway,bounded-leave,bounded-abort,"
			       "quiescence");
}

TEST(prompt_wake_alone_refuses_a_late_wake)
{
	(void)state;
	expect_holds("k-ticket", .n = 3, .k = 2, .passages = 2,
		     .only = "prompt-wake");
	expect_breaks("prompt-wake", "k-ticket~late-wake", .n = 2, .k = 1,
		      .most_steps = 5,
		      .holds = "at-most-k,fife,k-fcfs,no-deadlock,"
			       "no-starvation,no-lost-wake,bounded-doorway,"
			       "bounded-leave,quiescence,invariant");
	expect_breaks("prompt-wake", "dijkstra~no-wake-D3", .n = 3,
		      .holds = "at-most-k,no-deadlock,no-lost-wake,"
			       "bounded-leave,quiescence");
}

TEST(prompt_wake_sees_a_process_that_no_process_wakes)
{
	(void)state;
	expect_breaks("prompt-wake", "k-ticket~no-wake", .n = 2, .k = 1,
		      .only = "prompt-wake");
	expect_replays("prompt-wake", "k-ticket~no-wake n=2 k=1 wakes "
				      "property=prompt-wake : 0*2 1*2 0");
}

TEST(no_lost_wake_knows_on_which_word_a_process_waits)
{
	(void)state;
	expect_breaks("no-lost-wake", "toy-two-waits", .n = 2,
		      .holds = "no-deadlock");
	expect_breaks("no-lost-wake", "toy-second-thoughts", .n = 2,
		      .holds = "no-deadlock,no-starvation");
}

TEST(no_lost_wake_refuses_parking_marks_that_overwrite_each_other)
{
	(void)state;
	expect_breaks("no-lost-wake", "toy-parking-write", .n = 3, .k = 1,
		      .passages = 2, .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "toy-parking-cas", .n = 4, .k = 1,
		      .passages = 2, .only = "no-lost-wake");
}

TEST(parking_is_safe_as_long_as_sleepers_nap)
{
	(void)state;
	expect_holds("toy-parking-write", .n = 3, .k = 1);
	expect_holds("toy-parking-cas", .n = 3, .k = 1);
}

TEST(bounded_doorway_refuses_a_doorway_that_retries)
{
	(void)state;
	expect_breaks("bounded-doorway", "toy-retrying-doorway", .n = 2,
		      .holds = "at-most-k,fcfs,no-deadlock,no-lost-wake");
}

TEST(bounded_leave_refuses_a_leave_that_waits)
{
	(void)state;
	expect_breaks("bounded-leave", "toy-slow-leave", .n = 3, .k = 2,
		      .holds = "at-most-k,k-fcfs,fife,no-deadlock,"
			       "no-starvation,no-lost-wake");
}

TEST(bounded_leave_counts_the_last_step_too)
{
	(void)state;
	expect_breaks("bounded-leave", "k-bakery~long-leave", .n = 3, .k = 2,
		      .holds = "at-most-k,k-fcfs,no-deadlock,no-starvation,"
			       "bounded-doorway,no-lost-wake,quiescence");
}

TEST(bounded_leave_of_one_process_is_refused_of_each)
{
	(void)state;
	for (unsigned p = 0; p < 3; p++)
		expect_breaks("bounded-leave", "k-bakery~long-leave", .n = 3,
			      .k = 2, .only = "bounded-leave",
			      .steps_of = 1u << p);
}

TEST(bounded_abort_refuses_an_abort_that_waits)
{
	(void)state;
	expect_breaks("bounded-abort", "toy-stubborn-abort", .n = 2,
		      .aborts = 1,
		      .holds = "at-most-k,fcfs,no-deadlock,bounded-leave,"
			       "no-lost-wake");
}

TEST(fcfs_refuses_barging)
{
	(void)state;
	expect_breaks("fcfs", "toy-barging", .n = 2,
		      .holds = "at-most-k,no-deadlock,bounded-leave,"
			       "no-lost-wake");
}

TEST(k_fcfs_refuses_a_k_bakery_without_its_first_announcement)
{
	(void)state;
	expect_breaks("k-fcfs", "k-bakery~no-14", .n = 3, .k = 1,
		      .only = "k-fcfs", .most_steps = 10);
	expect_breaks("k-fcfs", "k-bakery~no-14", .n = 3, .k = 2,
		      .only = "k-fcfs", .most_steps = 13);
	/* at-most-k is violated, too, because a process does not count the
	 * processes that it does not see. */
	expect_breaks("at-most-k", "k-bakery~no-14", .n = 3, .k = 1,
		      .only = "at-most-k", .most_steps = 14);
}

TEST(k_fcfs_refuses_barging)
{
	(void)state;
	expect_breaks("k-fcfs", "toy-barging", .n = 2,
		      .holds = "at-most-k,no-deadlock,bounded-leave,"
			       "no-lost-wake");
}

TEST(fife_refuses_handing_over_to_a_chosen_process)
{
	(void)state;
	expect_breaks("fife", "toy-baton", .n = 4, .k = 2,
		      .holds = "at-most-k,k-fcfs,no-deadlock,no-starvation,"
			       "bounded-leave,no-lost-wake");
}

TEST(concurrent_entering_refuses_entries_one_by_one)
{
	(void)state;
	expect_breaks("concurrent-entering", "toy-one-by-one", .n = 3,
		      .holds = "session-exclusion,fcfs,no-deadlock,"
			       "no-starvation,bounded-leave,no-lost-wake");
}

TEST(strong_concurrent_entering_refuses_waiting_for_later_processes)
{
	(void)state;
	expect_breaks("strong-concurrent-entering", "toy-considerate-room",
		      .n = 3,
		      .holds = "session-exclusion,concurrent-entering,fcfs,"
			       "no-deadlock,no-starvation,bounded-leave,"
			       "no-lost-wake");
}

TEST(linearizable_refuses_a_lossy_counter_and_accepts_a_correct_one)
{
	(void)state;
	expect_breaks("linearizable", "toy-lossy-counter", .n = 2,
		      .passages = 2, .holds = "no-deadlock");
	expect_holds("toy-true-counter", .n = 3, .passages = 2);
}

TEST(quiescence_and_invariant_refuse_an_algorithm_that_leaves_words_behind)
{
	(void)state;
	expect_breaks("quiescence", "toy-forgetful", .n = 3, .k = 2,
		      .holds = "at-most-k,fife,no-deadlock,no-starvation,"
			       "bounded-leave,no-lost-wake");
	expect_breaks("invariant", "toy-forgetful", .n = 2, .k = 1,
		      .holds = "at-most-k,fife,no-deadlock,no-starvation,"
			       "bounded-leave,no-lost-wake");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			at_most_k_refuses_a_k_ticket_that_admits_one_more),
		cmocka_unit_test(
			at_most_k_refuses_dijkstra_without_its_last_read),
		cmocka_unit_test(
			at_most_k_refuses_a_bakery_without_its_choosing_flag),
		cmocka_unit_test(
			session_exclusion_refuses_an_algorithm_that_admits_all),
		cmocka_unit_test(unique_slots_refuses_a_counter_used_as_a_slot),
		cmocka_unit_test(
			no_deadlock_refuses_two_processes_that_wait_for_each_other),
		cmocka_unit_test(no_deadlock_refuses_a_livelock),
		cmocka_unit_test(
			no_starvation_shows_a_cycle_that_is_fair_by_itself),
		cmocka_unit_test(
			no_deadlock_and_no_starvation_refuse_an_unsigned_difference),
		cmocka_unit_test(no_starvation_refuses_barging_by_a_fair_cycle),
		cmocka_unit_test(
			no_starvation_and_quiescence_refuse_half_a_recovery),
		cmocka_unit_test(no_lost_wake_refuses_a_missing_wake),
		cmocka_unit_test(prompt_wake_alone_refuses_a_late_wake),
		cmocka_unit_test(
			prompt_wake_sees_a_process_that_no_process_wakes),
		cmocka_unit_test(
			no_lost_wake_knows_on_which_word_a_process_waits),
		cmocka_unit_test(
			no_lost_wake_refuses_parking_marks_that_overwrite_each_other),
		cmocka_unit_test(parking_is_safe_as_long_as_sleepers_nap),
		cmocka_unit_test(
			bounded_doorway_refuses_a_doorway_that_retries),
		cmocka_unit_test(bounded_leave_refuses_a_leave_that_waits),
		cmocka_unit_test(bounded_leave_counts_the_last_step_too),
		cmocka_unit_test(
			bounded_leave_of_one_process_is_refused_of_each),
		cmocka_unit_test(bounded_abort_refuses_an_abort_that_waits),
		cmocka_unit_test(fcfs_refuses_barging),
		cmocka_unit_test(
			k_fcfs_refuses_a_k_bakery_without_its_first_announcement),
		cmocka_unit_test(k_fcfs_refuses_barging),
		cmocka_unit_test(fife_refuses_handing_over_to_a_chosen_process),
		cmocka_unit_test(
			concurrent_entering_refuses_entries_one_by_one),
		cmocka_unit_test(
			strong_concurrent_entering_refuses_waiting_for_later_processes),
		cmocka_unit_test(
			linearizable_refuses_a_lossy_counter_and_accepts_a_correct_one),
		cmocka_unit_test(
			quiescence_and_invariant_refuse_an_algorithm_that_leaves_words_behind),
	};

	return RUN(tests);
}
