/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks roster: its promises, the limits of these promises, and the properties
 * that refuse its twins. */
#include "check.h"

#include <string.h>

#define SAFETY                                                  \
	"at-most-k,unique-slots,bounded-doorway,bounded-leave," \
	"bounded-abort,k-fcfs,fife,quiescence,invariant"

TEST(roster_can_give_up)
{
	(void)state;
	expect_holds("roster", .n = 1, .k = 1, .passages = 3, .aborts = 1);
	expect_holds("roster", .n = 2, .k = 1, .passages = 2, .aborts = 1);
}

TEST(roster_survives_k_minus_1_crashes)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 2);
}

TEST(roster_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "roster", .n = 2, .k = 1, .crashes = 1,
		      .holds = "at-most-k,fife,no-deadlock");
}

TEST(roster_recovers_the_dead)
{
	(void)state;
	expect_holds("roster", .n = 2, .k = 1, .deaths = 2, .aborts = 1);
	expect_holds("roster", .n = 2, .k = 1, .each = { 2, 1 }, .deaths = 1);
}

TEST(roster_is_first_come_first_served_with_one_slot)
{
	(void)state;
	expect_holds("roster", .n = 2, .k = 1, .passages = 2, .aborts = 1,
		     .only = "fcfs");
}

/* With only these properties, the searches are small enough for every run of
 * the tests. */
#define STATES "at-most-k,unique-slots,no-deadlock,quiescence,invariant"

TEST(roster_gives_back_the_slot_that_it_was_granted_while_giving_up)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 2, .aborts = 1, .only = STATES,
		     .whole = true);
}

TEST(roster_changes_its_k_and_changes_it_back)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 2, .resize = { 1, 2 },
		     .only = STATES, .whole = true);
	expect_holds("roster", .n = 3, .k = 1, .resize = { 2, 1 },
		     .only = STATES, .whole = true);
}

static bool is_read_modify_write(const struct lab_step *step)
{
	return strncmp(step->action, "cas", 3) == 0 ||
	       strcmp(step->action, "add") == 0 ||
	       strcmp(step->action, "swap") == 0;
}

/* The promises would also hold with more steps, so this test counts them. */
TEST(an_uncontended_passage_makes_two_read_modify_writes)
{
	static const char *const labels[] = { "E1", "E2r", "E2", "L1", "T4",
					      "E1", "E2",  "L1", "T4" };
	enum { STEPS = sizeof labels / sizeof *labels, FIRST = 5 };
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay("roster n=2 k=2 passages=2,1 : 0*9",
					 error);
	const struct lab_answer *a;
	unsigned count = 0;

	(void)state;
	if (!c)
		fail_msg("%s", error);
	a = lab_check_answer(c);
	assert_int_equal(a->steps, STEPS);
	for (unsigned i = 0; i < STEPS; i++) {
		assert_string_equal(a->step[i].label, labels[i]);
		count += i >= FIRST && is_read_modify_write(&a->step[i]);
	}
	assert_int_equal(count, 2);
	assert_string_equal(a->step[STEPS - 1].event, "is done");
	lab_check_end(c);
}

TEST(roster_changes_its_k)
{
	(void)state;
	expect_holds("roster", .n = 3, .k = 1, .resize = { 2 });
	expect_holds("roster", .n = 3, .k = 2, .resize = { 1 }, .aborts = 1);
}

TEST(a_resizer_shuts_a_slot_at_last)
{
	(void)state;
	expect_breaks("no-starvation,no-deadlock", "roster~no-Z3", .n = 2,
		      .k = 2, .resize = { 1 },
		      .holds = "at-most-k,unique-slots,quiescence,invariant");
}

TEST(a_resizer_opens_as_many_slots_as_it_was_told)
{
	(void)state;
	expect_breaks("quiescence", "roster~resize-short", .n = 2, .k = 1,
		      .resize = { 2 },
		      .holds = "at-most-k,unique-slots,no-deadlock,"
			       "no-starvation,no-lost-wake,invariant");
}

TEST(a_leaver_reads_the_root_and_an_arrival_reads_the_slots)
{
	(void)state;
	expect_breaks("no-lost-wake", "roster~no-T4", .n = 2, .k = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "roster~no-scan", .n = 2, .k = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "roster~ROOT-before-L2", .n = 2, .k = 1,
		      .passages = 2, .only = "no-lost-wake");
	expect_breaks("fife", "roster~no-E1", .n = 2, .k = 1, .each = { 2, 1 },
		      .only = "fife,k-fcfs");
}

TEST(the_tree_needs_two_attempts_versions_and_stale_marks)
{
	(void)state;
	expect_breaks("invariant", "roster~single-refresh", .n = 3, .k = 1,
		      .aborts = 1, .only = "invariant");
	expect_breaks("invariant", "roster~PR3-if-changed", .n = 2, .k = 1,
		      .passages = 2, .aborts = 1, .only = "invariant");
	expect_breaks("invariant", "roster~tree-before-W", .n = 2, .k = 1,
		      .only = "invariant");
	expect_breaks("quiescence", "roster~stale-ROOT-stays", .n = 2, .k = 1,
		      .aborts = 1, .only = "quiescence");
	expect_replays_file("invariant", "roster-stale-is-empty.trace");
	expect_replays_file("k-fcfs", "roster-no-seq.trace");
	expect_replays_file("k-fcfs", "roster-no-T5B.trace");
}

TEST(a_reservation_is_void_once_its_word_says_so)
{
	(void)state;
	expect_breaks("invariant", "roster~slot-before-W", .n = 2, .k = 1,
		      .only = "invariant");
	expect_breaks("invariant", "roster~any-token", .n = 2, .k = 1,
		      .passages = 2, .aborts = 2, .only = "invariant");
	expect_breaks("quiescence", "roster~T7-fails", .n = 2, .k = 1,
		      .passages = 2, .aborts = 1, .only = "quiescence");
}

TEST(a_void_reservation_is_not_left_behind)
{
	(void)state;
	expect_breaks("quiescence", "roster~no-A0-abort", .n = 2, .k = 1,
		      .passages = 2, .aborts = 1, .only = "quiescence");
	expect_breaks("quiescence", "roster~no-A0-granted", .n = 3, .k = 2,
		      .aborts = 1, .only = "quiescence");
	expect_breaks("quiescence", "roster~void-forgotten", .n = 2, .k = 1,
		      .passages = 2, .aborts = 1, .only = "quiescence");
	expect_breaks("quiescence", "roster~A1-forgets", .n = 2, .k = 1,
		      .aborts = 1, .only = "quiescence");
	expect_replays(
		"quiescence",
		"roster~A2-slot-0 n=3 k=2 passages=1,1,1 crashes=1 "
		"aborts=1 property=quiescence : 0*3 1*3 2*2 0*2 2 1 2*10 "
		"1*12 2a 2*2");
}

TEST(a_recoverer_finishes_the_operation_that_was_begun)
{
	(void)state;
	expect_breaks("quiescence", "roster~recover-slots-first", .n = 2,
		      .k = 1, .deaths = 1, .only = "quiescence");
	expect_breaks("no-lost-wake", "roster~recover-no-settle", .n = 2,
		      .k = 1, .deaths = 1, .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "roster~pending-stays", .n = 2, .k = 1,
		      .passages = 2, .deaths = 1, .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "roster~no-wake-T3", .n = 3, .k = 1,
		      .deaths = 1, .only = "no-lost-wake");
	expect_replays_file("no-lost-wake", "roster-no-V4.trace");
}

TEST(a_process_that_is_granted_a_slot_is_woken)
{
	(void)state;
	expect_breaks("no-lost-wake", "roster~no-wake", .n = 2, .k = 1,
		      .holds = "at-most-k,no-deadlock,no-starvation,fife");
	expect_holds("roster~no-T8-path", .n = 2, .k = 1, .passages = 2);
}

/* In these twins a leaver tries only once, instead of four times, to hand over
 * its slot.  If this attempt fails, a waiter finds the free slot only after a
 * nap. */
TEST(a_leaver_that_stops_handing_over_relies_on_a_second_scan)
{
	(void)state;
	expect_holds("roster~b-1", .n = 2, .k = 1, .passages = 2, .aborts = 1,
		     .only = SAFETY);
	expect_holds("roster~b-1", .n = 2, .k = 1, .passages = 2, .aborts = 1,
		     .only = "no-deadlock,no-starvation,fife");
	expect_breaks("no-deadlock", "roster~b-1-no-rescan", .n = 2, .k = 1,
		      .passages = 2, .aborts = 1, .only = "no-deadlock");
	expect_breaks("no-lost-wake", "roster~b-1", .n = 2, .k = 1,
		      .passages = 2, .aborts = 1, .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "roster~b-1-no-wake", .n = 2, .k = 1,
		      .passages = 2, .only = "no-lost-wake");
}

TEST(a_closing_mark_is_not_overlooked)
{
	(void)state;
	expect_breaks("quiescence", "roster~L1-swap", .n = 3, .k = 2,
		      .resize = { 1 }, .only = "quiescence");
	expect_breaks("quiescence", "roster~no-T4D", .n = 3, .k = 1,
		      .resize = { 2, 1 }, .only = "quiescence");
	expect_replays("quiescence",
		       "roster~Z5-write n=3 k=2 passages=1,1 resize=1,2 "
		       "property=quiescence : 1*3 2*5 1 2*8 1 2*4");
	expect_replays("quiescence",
		       "roster~no-L1r n=3 k=2 passages=1,1 resize=1,2 "
		       "property=quiescence : 1*3 2*5 1 2*9 1*2 2*3");
	expect_breaks("quiescence", "roster~resize-no-settle", .n = 3, .k = 1,
		      .resize = { 2, 1, 2 }, .only = "quiescence");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roster_can_give_up),
		cmocka_unit_test(roster_survives_k_minus_1_crashes),
		cmocka_unit_test(roster_does_not_survive_k_crashes),
		cmocka_unit_test(roster_recovers_the_dead),
		cmocka_unit_test(
			roster_is_first_come_first_served_with_one_slot),
		cmocka_unit_test(
			roster_gives_back_the_slot_that_it_was_granted_while_giving_up),
		cmocka_unit_test(roster_changes_its_k_and_changes_it_back),
		cmocka_unit_test(
			an_uncontended_passage_makes_two_read_modify_writes),
		cmocka_unit_test(roster_changes_its_k),
		cmocka_unit_test(a_resizer_shuts_a_slot_at_last),
		cmocka_unit_test(a_resizer_opens_as_many_slots_as_it_was_told),
		cmocka_unit_test(
			a_leaver_reads_the_root_and_an_arrival_reads_the_slots),
		cmocka_unit_test(
			the_tree_needs_two_attempts_versions_and_stale_marks),
		cmocka_unit_test(a_reservation_is_void_once_its_word_says_so),
		cmocka_unit_test(a_void_reservation_is_not_left_behind),
		cmocka_unit_test(
			a_recoverer_finishes_the_operation_that_was_begun),
		cmocka_unit_test(a_process_that_is_granted_a_slot_is_woken),
		cmocka_unit_test(
			a_leaver_that_stops_handing_over_relies_on_a_second_scan),
		cmocka_unit_test(a_closing_mark_is_not_overlooked),
	};

	return RUN(tests);
}
