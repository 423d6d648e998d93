/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the algorithms over a store, ledger and ledger-room: their promises,
 * with and without faults of the store, the limits of these promises, and the
 * properties that refuse the broken twins. */
#include "check.h"

#include "tests/common/size.h"

#include <stdio.h>
#include <string.h>

TEST(ledger_keeps_its_promises)
{
	(void)state;
	expect_holds("ledger", .n = 4, .k = 2);
	expect_holds("ledger", .n = 3, .k = 1, .aborts = 1);
	expect_holds("ledger", .n = 2, .k = 1, .passages = 3, .aborts = 1);
	expect_holds("ledger", .n = 3, .k = 1, .only = "fcfs");
}

TEST(ledger_recovers_the_dead)
{
	(void)state;
	expect_holds("ledger", .n = 3, .k = 2, .deaths = 1, .aborts = 1);
}

TEST(ledger_survives_faults_of_the_store)
{
	(void)state;
	expect_holds("ledger", .n = 3, .k = 1, .faults = 1);
	expect_holds("ledger", .n = 2, .k = 1, .faults = 3);
	expect_holds("ledger", .n = 3, .k = 2, .faults = 1, .deaths = 1);
}

TEST(ledger_survives_k_minus_1_crashes_and_no_more)
{
	(void)state;
	expect_holds("ledger", .n = 3, .k = 2, .crashes = 1,
		     .only = "no-starvation");
	expect_breaks("no-starvation", "ledger", .n = 2, .k = 1, .crashes = 1,
		      .only = "no-starvation");
}

TEST(ledger_changes_its_k)
{
	(void)state;
	expect_holds("ledger", .n = 4, .k = 1, .resize = { 2 });
	expect_holds("ledger", .n = 3, .k = 2, .resize = { 1, 2 }, .deaths = 1);
	expect_holds("ledger", .n = 3, .k = 2, .resize = { 1 }, .faults = 1);
}

/* After the pause no process enters: at-most-k then allows 0 processes. */
TEST(ledger_pauses)
{
	(void)state;
	expect_holds("ledger", .n = 3, .k = 2, .pauses = true);
	expect_holds("ledger", .n = 3, .k = 1, .passages = 2, .pauses = true);
	expect_holds("ledger-room", .n = 3, .k = 2, .pauses = true);
	expect_breaks("at-most-k", "ledger~no-limit", .n = 2, .k = 1,
		      .pauses = true);
}

/* A process whose lease ended queues again, behind processes that came
 * later. */
TEST(a_lost_lease_loses_the_place_in_the_order)
{
	(void)state;
	expect_breaks("k-fcfs", "ledger", .n = 3, .k = 1, .faults = 1,
		      .only = "k-fcfs");
}

TEST(without_clocks_only_tokens_tell_holders_apart)
{
	(void)state;
	expect_holds("ledger", .n = 3, .k = 1, .faults = 1, .no_clocks = true);
	expect_holds("ledger", .n = 2, .k = 1, .passages = 2, .faults = 1,
		     .no_clocks = true);
	expect_holds("ledger-room", .n = 2, .faults = 2, .no_clocks = true);
	expect_breaks("at-most-k", "ledger", .n = 2, .k = 1, .faults = 1,
		      .no_clocks = true, .only = "at-most-k", .most_steps = 7);
	expect_breaks("session-exclusion", "ledger-room", .n = 2, .faults = 1,
		      .no_clocks = true, .only = "session-exclusion",
		      .most_steps = 7);
	expect_breaks("fenced", "ledger~no-check", .n = 2, .k = 1, .faults = 1,
		      .no_clocks = true, .most_steps = 7);
}

TEST(ledger_room_keeps_its_promises)
{
	(void)state;
	expect_holds("ledger-room", .n = 3);
	expect_holds("ledger-room", .n = 3, .k = 2, .aborts = 1);
	expect_holds("ledger-room", .n = 3, .sessions = 3);
	expect_holds("ledger-room", .n = 2, .passages = 2, .deaths = 1,
		     .aborts = 1);
}

TEST(ledger_room_survives_faults_of_the_store)
{
	(void)state;
	expect_holds("ledger-room", .n = 2, .faults = 2);
	expect_holds("ledger-room", .n = 3, .k = 2, .faults = 1);
	expect_holds("ledger-room", .n = 2, .faults = 1, .aborts = 1);
}

TEST(an_answer_after_the_end_of_the_lease_is_not_believed)
{
	(void)state;
	expect_breaks("at-most-k,unique-slots", "ledger~no-check", .n = 2,
		      .k = 1, .faults = 1, .most_steps = 7,
		      .holds = "no-deadlock,no-starvation,quiescence");
	expect_breaks("session-exclusion,unique-slots", "ledger-room~no-check",
		      .n = 2, .faults = 1);
}

TEST(a_passage_needs_a_lease_of_its_own)
{
	(void)state;
	expect_breaks("quiescence,no-deadlock", "ledger~one-lease", .n = 2,
		      .k = 1, .faults = 1, .holds = "at-most-k,unique-slots");
	expect_breaks("quiescence,no-deadlock", "ledger-room~one-lease", .n = 2,
		      .faults = 1, .holds = "session-exclusion,unique-slots");
}

TEST(a_transaction_made_twice_or_late_does_nothing)
{
	(void)state;
	expect_breaks("no-starvation,invariant", "ledger~no-here", .n = 3,
		      .k = 2, .faults = 1, .holds = "at-most-k,unique-slots");
	expect_replays("invariant",
		       "ledger-room~no-here n=3 k=2 faults=1 : 0@1 0=1 0");
	expect_replays("invariant",
		       "ledger-room~no-free n=4 k=2 : 0@1 0*2 1@1 1*2 2@1 2 1 "
		       "2*2 0 3@1 3*3 2*2 3");
	expect_replays("invariant",
		       "ledger-room~no-ticket n=4 k=2 faults=1 : 0@1 0*2 1@1 "
		       "1*2 2@1 2 1 2*2 0 2=2 3@1 3*4 2*4 3*2 2g");
	expect_replays("invariant",
		       "ledger~no-ticket n=4 k=2 faults=1 : 0*3 1*3 2*2 1 2*2 "
		       "0 2=2 3*5 2*4 3*2 2g");
}

TEST(a_claim_needs_a_free_slot)
{
	(void)state;
	expect_breaks("unique-slots,invariant", "ledger~no-free", .n = 4,
		      .k = 2);
}

TEST(an_arrival_heeds_the_waiters_the_limit_and_the_sessions)
{
	(void)state;
	expect_breaks("k-fcfs,fife", "ledger~barge", .n = 3, .k = 1,
		      .holds = "at-most-k,unique-slots,no-deadlock,"
			       "no-starvation,quiescence,invariant");
	expect_breaks("fcfs,strong-concurrent-entering", "ledger-room~barge",
		      .n = 3);
	expect_breaks("at-most-k", "ledger~no-limit", .n = 3, .k = 2,
		      .resize = { 1 },
		      .holds = "unique-slots,no-deadlock,no-starvation,"
			       "quiescence,invariant");
	expect_breaks("at-most-k", "ledger-room~no-limit", .n = 3, .k = 2,
		      .resize = { 1 });
	expect_breaks("session-exclusion", "ledger-room~no-all", .n = 2);
	expect_breaks("session-exclusion,fcfs", "ledger-room~no-order", .n = 3);
}

/* The largest instances that `make test-all` searches. */
TEST(larger_instances_keep_the_promises)
{
	(void)state;
	if (size_is_small())
		return;
	expect_holds("ledger", .n = 3, .k = 1, .passages = 2, .deaths = 1,
		     .aborts = 1);
	expect_holds("ledger", .n = 4, .k = 2, .faults = 1);
	expect_holds("ledger", .n = 3, .k = 1, .faults = 2, .deaths = 1,
		     .aborts = 1);
	expect_holds("ledger", .n = 4, .k = 2, .faults = 1, .no_clocks = true);
	expect_holds("ledger-room", .n = 4);
	expect_holds("ledger-room", .n = 3, .k = 2, .faults = 2);
	expect_breaks("invariant", "ledger~no-ticket", .n = 4, .k = 2,
		      .faults = 1);
	expect_breaks("invariant", "ledger-room~no-here", .n = 3, .k = 2,
		      .faults = 1);
	expect_breaks("unique-slots,invariant", "ledger-room~no-free", .n = 4,
		      .k = 2);
}

TEST(questions_about_a_store_are_refused_where_there_is_none)
{
	(void)state;
	expect_refused("does not run over a store", "k-ticket", .faults = 1);
	expect_refused("does not run over a store", "k-ticket",
		       .no_clocks = true);
	expect_refused("does not run over a store", "k-ticket",
		       .only = "fenced");
	expect_refused("needs --faults", "ledger", .no_clocks = true);
	expect_refused("at most 4", "ledger", .faults = 5);
	expect_refused("watches its store", "ledger", .only = "no-lost-wake");
	expect_refused("k must be 1 or more", "roster", .n = 3, .k = 1,
		       .pauses = true);
}

/* Replays a schedule; the caller ends the answer. */
static struct lab_check *replay(const char *schedule)
{
	char error[LAB_ERROR] = "";
	struct lab_check *c = lab_replay(schedule, error);

	if (!c)
		fail_msg("%s: %s", schedule, error);
	return c;
}

static void expect_events(const char *schedule, const char *const *expected,
			  size_t count)
{
	struct lab_check *c = replay(schedule);
	const struct lab_answer *a = lab_check_answer(c);

	assert_int_equal(a->steps, count);
	assert_int_equal(a->violated, 0);
	for (size_t i = 0; i < count; i++) {
		char line[256];

		snprintf(line, sizeof line, "%s %s %s", a->step[i].label,
			 a->step[i].action, a->step[i].event);
		if (strcmp(line, expected[i]) != 0)
			fail_msg("%s: step %zu is '%s', not '%s'", schedule,
				 i + 1, line, expected[i]);
	}
	lab_check_end(c);
}

#define EXPECT_EVENTS(schedule, ...)                             \
	expect_events(schedule, (const char *[]){ __VA_ARGS__ }, \
		      sizeof((const char *[]){ __VA_ARGS__ }) /  \
			      sizeof(const char *))

TEST(an_undisturbed_passage_makes_three_requests_that_write)
{
	(void)state;
	EXPECT_EVENTS("ledger n=2 : 0*4", "L1 get a lease ", "L2 transaction ",
		      "L2 answer enters slot 0", "L3 end the lease is done");
}

TEST(the_moves_of_a_store_replay)
{
	(void)state;
	EXPECT_EVENTS("ledger n=2 faults=1 : 0 0=1 0*3", "L1 get a lease ",
		      "L2 transaction, answer lost ", "L2 transaction ",
		      "L2 answer enters slot 0", "L3 end the lease is done");
	EXPECT_EVENTS("ledger n=2 faults=1 : 0 0=2 0g 0*3", "L1 get a lease ",
		      "L2 transaction, delayed ", "- late request arrives ",
		      "L2 transaction ", "L2 answer enters slot 0",
		      "L3 end the lease is done");
	EXPECT_EVENTS("ledger n=2 faults=1 : 0*2 0x 0*5", "L1 get a lease ",
		      "L2 transaction ", "- its lease ends ", "L2 answer ",
		      "L1b get a lease ", "L2 transaction ",
		      "L2 answer enters slot 0", "L3 end the lease is done");
	EXPECT_EVENTS("ledger n=2 faults=2 : 0 0=2 0=2 0g2 0g",
		      "L1 get a lease ", "L2 transaction, delayed ",
		      "L2 transaction, delayed ", "- late request arrives ",
		      "- late request arrives ");
}

TEST(a_move_that_the_question_does_not_allow_does_not_replay)
{
	static const char *const schedules[] = {
		"ledger n=2 : 0 0=1",             /* no faults are allowed */
		"ledger n=2 : 0 0x",              /* no faults are allowed */
		"ledger n=2 faults=1 : 0 0=1 0x", /* the fault is used up */
		"ledger n=2 faults=1 : 0x",       /* it has no lease */
		"ledger n=2 faults=1 : 0*3 0x",   /* it is inside */
		"ledger n=2 faults=1 : 0 0g",     /* no request is on its way */
		"ledger n=2 faults=1 : 0 0=2 0g2",
		/* the request was lost with its lease */
		"ledger n=2 faults=2 : 0 0=2 0x 0g",
		"ledger n=2 faults=2 : 0 0x 0=2 0g",
	};
	char error[LAB_ERROR];

	(void)state;
	for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
		struct lab_check *c = lab_replay(schedules[i], error);

		if (c || !strstr(error, "does not fit"))
			fail_msg("'%s': %s", schedules[i],
				 c ? "replays" : error);
	}
}

static uint64_t states_of(struct lab_question q)
{
	char error[LAB_ERROR];
	struct lab_check *c = lab_check_start(&q, error);
	uint64_t states;

	if (!c)
		fail_msg("%s", error);
	while (lab_check_advance(c, 3600, NULL))
		;
	assert_int_equal(lab_check_answer(c)->verdict, LAB_HOLDS);
	states = lab_check_answer(c)->states;
	lab_check_end(c);
	return states;
}

/* Workers replay schedules to begin, and a looked-up move must equal the move
 * that a process would make. */
TEST(workers_and_the_move_cache_change_no_state_of_a_store)
{
	static const char *const names[] = { "ledger", "ledger-room" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct lab_question q = {
			.algorithm = names[i],
			.n = 3,
			.k = 2,
			.sessions = -1,
			.crashes = 0,
			.deaths = 1,
			.aborts = 1,
			.faults = 1,
			.properties = 1u << lab_property_number("unique-slots"),
			.memory = (uint64_t)1 << 30,
			.workers = 1,
		};
		uint64_t one;

		if (i == 1)
			q.n = 2;
		one = states_of(q);
		q.workers = 2;
		assert_int_equal(states_of(q), one);
		q.workers = 5;
		assert_int_equal(states_of(q), one);
		q.workers = 1;
		q.make_every_move = true;
		assert_int_equal(states_of(q), one);
		q.make_every_move = false;
		q.find_collisions = true;
		assert_int_equal(states_of(q), one);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ledger_keeps_its_promises),
		cmocka_unit_test(ledger_recovers_the_dead),
		cmocka_unit_test(ledger_survives_faults_of_the_store),
		cmocka_unit_test(ledger_survives_k_minus_1_crashes_and_no_more),
		cmocka_unit_test(ledger_changes_its_k),
		cmocka_unit_test(ledger_pauses),
		cmocka_unit_test(a_lost_lease_loses_the_place_in_the_order),
		cmocka_unit_test(without_clocks_only_tokens_tell_holders_apart),
		cmocka_unit_test(ledger_room_keeps_its_promises),
		cmocka_unit_test(ledger_room_survives_faults_of_the_store),
		cmocka_unit_test(
			an_answer_after_the_end_of_the_lease_is_not_believed),
		cmocka_unit_test(a_passage_needs_a_lease_of_its_own),
		cmocka_unit_test(a_transaction_made_twice_or_late_does_nothing),
		cmocka_unit_test(a_claim_needs_a_free_slot),
		cmocka_unit_test(
			an_arrival_heeds_the_waiters_the_limit_and_the_sessions),
		cmocka_unit_test(larger_instances_keep_the_promises),
		cmocka_unit_test(
			questions_about_a_store_are_refused_where_there_is_none),
		cmocka_unit_test(
			an_undisturbed_passage_makes_three_requests_that_write),
		cmocka_unit_test(the_moves_of_a_store_replay),
		cmocka_unit_test(
			a_move_that_the_question_does_not_allow_does_not_replay),
		cmocka_unit_test(
			workers_and_the_move_cache_change_no_state_of_a_store),
	};

	return RUN(tests);
}
