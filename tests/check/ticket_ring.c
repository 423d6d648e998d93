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

/* The promises would also hold with more steps, so this test counts them. */
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

/* In its first passage a process reads three words that it has later. */
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
	};

	return RUN(tests);
}
