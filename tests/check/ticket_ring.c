/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks ticket-ring: its promises, its cost when all processes take part, and
 * the properties that refuse its twins. */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

TEST(ticket_ring_can_give_up)
{
	(void)state;
	expect_holds("ticket-ring", .n = 1, .k = 1, .passages = 3, .aborts = 1);
	expect_holds("ticket-ring", .n = 2, .k = 1, .aborts = 1);
}

TEST(ticket_ring_recovers_the_dead)
{
	(void)state;
	expect_holds("ticket-ring", .n = 2, .k = 1, .deaths = 1,
		     .only = "at-most-k,unique-slots,no-deadlock,quiescence,"
			     "invariant");
	expect_holds("ticket-ring", .n = 2, .k = 1, .deaths = 1,
		     .only = "no-lost-wake");
}

TEST(ticket_ring_does_not_survive_k_crashes)
{
	(void)state;
	expect_breaks("no-starvation", "ticket-ring", .n = 2, .k = 1,
		      .crashes = 1, .holds = "at-most-k,fife,no-deadlock");
}

TEST(ticket_ring_changes_its_k)
{
	(void)state;
	expect_holds("ticket-ring", .n = 2, .k = 1, .resize = { 2 },
		     .aborts = 1);
	expect_holds("ticket-ring", .n = 2, .k = 2, .resize = { 1, 2 },
		     .aborts = 1);
}

static bool is_read_modify_write(const struct lab_step *step)
{
	return strncmp(step->action, "cas", 3) == 0 ||
	       strcmp(step->action, "add") == 0 ||
	       strcmp(step->action, "swap") == 0;
}

/* The promises would also hold with more steps, so this test counts the
 * steps. */
TEST(an_uncontended_passage_makes_two_read_modify_writes)
{
	static const char *const labels[] = { "E1h", "E1",  "E2r", "E2", "L1",
					      "T4h", "T4",  "E1h", "E1", "E2",
					      "L1",  "T4h", "T4" };
	enum { STEPS = sizeof labels / sizeof *labels, FIRST = 7 };
	char error[LAB_ERROR] = "";
	struct lab_check *c =
		lab_replay("ticket-ring n=2 k=2 passages=2,1 : 0*13", error);
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

static struct lab_row measured(int n, int contention)
{
	struct lab_measure m = { .algorithm = "ticket-ring",
				 .n = n,
				 .k = 4,
				 .sessions = -1,
				 .contention = contention,
				 .seed = 1,
				 .steps = 60000 };
	struct lab_row row;
	char error[LAB_ERROR] = "";
	bool usage;

	if (!lab_measure(&m, &row, error, &usage))
		fail_msg("%s", error);
	printf("    n=%d contention=%d: mean %.1f, worst %" PRIu64 "\n", n,
	       contention, row.mean, row.worst);
	return row;
}

/* In its first passage a process reads three words that are in its cache
 * later. */
TEST(ticket_ring_costs_2_references_while_no_process_waits)
{
	struct lab_row row = measured(16, 1);

	(void)state;
	assert_int_equal(row.worst, 5);
	assert_true(row.mean < 2.1);
}

/* The adversaries make a fixed number of steps, so these numbers are the same on
 * every machine.  For roster the mean is 112, 568 and 1521. */
TEST(the_cost_in_a_crowd_does_not_grow_with_n)
{
	static const int ns[] = { 8, 32, 128 };

	(void)state;
	for (unsigned i = 0; i < sizeof ns / sizeof *ns; i++) {
		struct lab_row row = measured(ns[i], ns[i]);

		assert_true(row.mean < 35);
		assert_true(row.worst < 200);
	}
}

TEST(a_leaver_looks_for_a_waiter_and_a_newcomer_reads_the_slots)
{
	(void)state;
	expect_breaks("no-lost-wake", "ticket-ring~no-T4", .n = 2, .k = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "ticket-ring~no-scan", .n = 2, .k = 1,
		      .only = "no-lost-wake");
	expect_breaks("no-lost-wake", "ticket-ring~no-wake", .n = 2, .k = 1,
		      .only = "no-lost-wake");
	expect_replays("no-lost-wake",
		       "ticket-ring~release-once n=2 k=1 passages=2,1 wakes : "
		       "0*4 1*3 0*2 1 0 1*3 0*9 1*7 0*11 1");
	expect_replays("fife", "ticket-ring~no-E1 n=2 k=1 passages=2,1 "
			       "property=fife : 0*4 1*3 0*3 1*7 0*3");
}

TEST(HEAD_passes_finished_tickets_only)
{
	(void)state;
	expect_breaks("invariant", "ticket-ring~passes-without-grant", .n = 2,
		      .k = 1, .only = "invariant");
	expect_breaks("invariant", "ticket-ring~no-withdrawal", .n = 2, .k = 1,
		      .only = "invariant");
	expect_breaks("quiescence", "ticket-ring~no-A3", .n = 2, .k = 1,
		      .aborts = 1, .only = "quiescence");
	expect_breaks("quiescence", "ticket-ring~walk-ends-early", .n = 2,
		      .k = 1, .aborts = 1, .only = "quiescence");
	expect_breaks("quiescence", "ticket-ring~recover-no-settle", .n = 2,
		      .k = 1, .deaths = 1, .only = "quiescence");
}

/* In these twins the ring has two cells. */
TEST(a_lost_waiter_is_found)
{
	(void)state;
	expect_holds("ticket-ring~small-ring", .n = 2, .k = 1);
	expect_breaks("invariant", "ticket-ring~small-ring-no-J2", .n = 2,
		      .k = 1, .each = { 2, 1 }, .only = "invariant");
	expect_breaks("invariant", "ticket-ring~small-ring-no-Q5", .n = 2,
		      .k = 1, .each = { 2, 1 }, .only = "invariant");
	expect_replays("quiescence",
		       "ticket-ring~small-ring-no-A4 n=2 k=1 passages=2,1 "
		       "aborts=1 property=quiescence : 0*4 1*3 0*4 1 0*8 1*9 "
		       "1a 1*12 0a 0*2 1");
	expect_replays("k-fcfs", "ticket-ring~small-ring-no-F6 n=3 k=1 "
				 "passages=3,3,3 aborts=2 property=k-fcfs : "
				 "2*2 0*4 2*2 0*11 2*8 0*8 2*10 0*2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticket_ring_can_give_up),
		cmocka_unit_test(ticket_ring_recovers_the_dead),
		cmocka_unit_test(ticket_ring_does_not_survive_k_crashes),
		cmocka_unit_test(ticket_ring_changes_its_k),
		cmocka_unit_test(
			an_uncontended_passage_makes_two_read_modify_writes),
		cmocka_unit_test(
			ticket_ring_costs_2_references_while_no_process_waits),
		cmocka_unit_test(the_cost_in_a_crowd_does_not_grow_with_n),
		cmocka_unit_test(
			a_leaver_looks_for_a_waiter_and_a_newcomer_reads_the_slots),
		cmocka_unit_test(HEAD_passes_finished_tickets_only),
		cmocka_unit_test(a_lost_waiter_is_found),
	};

	return RUN(tests);
}
