/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the bounds on remote references are the right ones: the bounds of
 * theorems hold as printed, or measurements exceed them, as the cards say; and
 * no algorithm states a bound that rmr.c does not compare with measurements.
 */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 20000 };

static struct lab_row measured(struct lab_measure m)
{
	struct lab_row row;
	char error[LAB_ERROR] = "";
	bool usage;

	m.seed = 1;
	m.k = m.k ? m.k : -1;
	m.sessions = m.sessions ? m.sessions : -1;
	m.steps = m.steps ? m.steps : STEPS;
	if (!lab_measure(&m, &row, error, &usage))
		fail_msg("%s: %s", m.algorithm, error);
	printf("    %s n=%u k=%u contention=%u %s%s: worst %" PRIu64
	       ", bound %" PRIu64 ", outside %" PRIu64 " of %" PRIu64 "%s%s\n",
	       row.algorithm, row.n, row.k, row.contention,
	       m.model == LAB_CC ? "cc" : "dsm",
	       row.smart_cache ? " smart" : "", row.worst, row.bound,
	       row.worst_outside, row.bound_outside,
	       row.waits_on[0] ? ", waits on " : "", row.waits_on);
	return row;
}

static uint64_t ceiling(unsigned a, unsigned b)
{
	return (a + b - 1) / b;
}

static void expect_within(struct lab_measure m, uint64_t bound)
{
	struct lab_row row = measured(m);

	assert_true(row.has_worst && row.has_bound);
	assert_int_equal(row.bound, bound);
	assert_true(row.worst <= bound);
}

/* cell: the remote references of a process in a cell, 7 in CC and 14 in DSM. */
static void expect_nested(const char *name, enum lab_model model, unsigned cell)
{
	struct lab_measure m = { .algorithm = name, .model = model };
	static const unsigned shapes[][2] = {
		{ 3, 1 }, { 8, 1 }, { 8, 2 }, { 9, 4 }, { 16, 3 }
	};

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (unsigned c = 1; c <= shapes[i][0]; c += c < 4 ? 1 : 4) {
			m.n = (int)shapes[i][0];
			m.k = (int)shapes[i][1];
			m.contention = (int)c;
			expect_within(m, ceiling(c, shapes[i][1]) *
						 (cell * shapes[i][1] + 2));
		}
}

TEST(theorems_4_and_8_hold_as_printed_with_the_printed_gates)
{
	(void)state;
	expect_nested("am-nested-printed", LAB_CC, 7);
	expect_nested("am-dsm-nested-printed", LAB_DSM, 14);
}

static void expect_fast_path(const char *name, enum lab_model model,
			     unsigned cell)
{
	struct lab_measure m = { .algorithm = name, .model = model };

	m.n = 16;
	m.k = 4;
	for (int c = 1; c <= 4; c++) {
		m.contention = c;
		expect_within(m, cell * 4 + 2);
	}
	for (int c = 5; c <= 16; c += 11) {
		m.contention = c;
		expect_within(m, cell * 4 * (2 + 1) + 2);
	}
	/* The ceiling of the logarithm: 12 processes are 3 groups of 4. */
	m.n = 12;
	m.contention = 12;
	expect_within(m, cell * 4 * (2 + 1) + 2);
}

TEST(theorems_3_and_7_hold_with_ceilings_with_the_printed_gate)
{
	(void)state;
	expect_fast_path("am-fast-path-printed", LAB_CC, 7);
	expect_fast_path("am-dsm-fast-path-printed", LAB_DSM, 14);
}

/* The bound that is true with these gates is counted on the page am-nested. */
static void expect_exceeded(struct lab_measure m, uint64_t formula,
			    uint64_t bound)
{
	struct lab_row row = measured(m);

	assert_true(row.worst > formula);
	assert_true(row.has_bound);
	assert_int_equal(row.bound, bound);
	assert_true(row.worst <= bound);
	assert_non_null(strstr(row.bound_text, "exceeds Theorem"));
}

TEST(theorems_4_and_8_are_exceeded_with_real_gates)
{
	struct lab_measure m = { .algorithm = "am-nested",
				 .n = 8,
				 .k = 1,
				 .contention = 2,
				 .steps = 200000 };

	(void)state;
	expect_exceeded(m, 18, 7 * (6 + 3) + 2 * 6);
	m.algorithm = "am-dsm-nested";
	m.model = LAB_DSM;
	expect_exceeded(m, 32, 14 * (6 + 3) + 2 * 6);
}

/* The bound is derived on the page of the algorithm, for Theorem 10. */
TEST(k_bakery_safe_costs_at_most_25_references_per_other_process)
{
	struct lab_measure m = { .algorithm = "k-bakery-safe" };

	(void)state;
	for (m.n = 2; m.n <= 32; m.n *= 2)
		for (m.k = 1; m.k < m.n && m.k <= 3; m.k++)
			expect_within(m, 25 * (uint64_t)(m.n - 1) + 1);
}

static void expect_outside(struct lab_measure m, uint64_t bound)
{
	struct lab_row row = measured(m);

	assert_true(row.has_outside && row.has_bound_outside);
	assert_int_equal(row.bound_outside, bound);
	assert_true(row.worst_outside <= bound);
	assert_true(!row.has_bound || row.worst <= row.bound);
}

TEST(session_tree_costs_at_most_20_per_level_outside_its_mutexes)
{
	static const struct {
		int sessions;
		unsigned levels;
	} trees[] = { { 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 3 }, { 8, 3 } };
	static const char *const names[] = { "session-tree",
					     "session-tree/tree-mutex" };

	(void)state;
	for (size_t a = 0; a < sizeof names / sizeof *names; a++)
		for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
			for (int n = 4; n <= 16; n *= 2)
				expect_outside(
					(struct lab_measure){
						.algorithm = names[a],
						.n = n,
						.sessions = trees[i].sessions,
						.smart_cache = true },
					20 * trees[i].levels);
}

/*
 * Thesis, section 6.1.3: without the second condition of line 19 all properties
 * hold, but processes gather before line 20.  Then each of them writes the gate
 * while a process waits there.
 */
TEST(line_19_of_two_session_asks_for_a_waiter_for_the_sake_of_the_cost)
{
	struct lab_measure m = { .algorithm = "two-session",
				 .smart_cache = true,
				 .adversary = "danek-6.1.3" };
	struct lab_row row;

	(void)state;
	expect_holds("two-session~no-waiter/queue-mutex", .n = 3);
	for (m.n = 4; m.n <= 64; m.n *= 2) {
		m.algorithm = "two-session";
		expect_outside(m, 20);
		m.algorithm = "two-session~no-waiter";
		row = measured(m);
		assert_int_equal(row.worst_outside, (uint64_t)m.n + 3);
	}
}

static bool begins_with(const char *text, const char *words)
{
	return strncmp(text, words, strlen(words)) == 0;
}

/* Returns true if the text of a bound states no number that a test could
 * compare. */
static bool claims_nothing(const char *text)
{
	return begins_with(text, "unbounded") || begins_with(text, "O(") ||
	       begins_with(text, "no bound claimed") ||
	       begins_with(text, "not a real cost");
}

/* These algorithms state a number only for a special case: no process waits
 * (roster, ticket-ring, hall), or the cache is smart (choi, choi-plain).  The
 * next two tests and rmr.c compare these numbers. */
static bool states_less(const char *algorithm)
{
	return begins_with(algorithm, "roster") ||
	       begins_with(algorithm, "ticket-ring") ||
	       begins_with(algorithm, "hall") || begins_with(algorithm, "choi");
}

/* The shape is that of rmr.c; an algorithm may have only one k. */
static void expect_compared(struct lab_measure m, const char *text)
{
	struct lab_row row;
	char error[LAB_ERROR];
	bool usage;

	m.n = 8;
	m.k = 2;
	m.sessions = -1;
	m.seed = 1;
	m.steps = 3000;
	if (!lab_measure(&m, &row, error, &usage)) {
		m.k = -1;
		if (!lab_measure(&m, &row, error, &usage))
			fail_msg("%s is not measured: %s", m.algorithm, error);
	}
	assert_string_equal(row.bound_text, text);
	if (row.has_bound && !row.has_worst)
		fail_msg("%s: the bound '%s' is not compared: %s", m.algorithm,
			 text, row.note);
	if (row.has_bound_outside && !row.has_outside)
		fail_msg("%s: the bound '%s' outside the component is not "
			 "compared",
			 m.algorithm, row.bound_outside_text);
	if (!row.has_bound && !row.has_bound_outside && !claims_nothing(text) &&
	    !states_less(m.algorithm))
		fail_msg("%s: no test compares '%s'", m.algorithm, text);
	if (m.model == LAB_DSM && begins_with(text, "unbounded") &&
	    !row.waits_on[0])
		fail_msg("%s waits on no remote word", m.algorithm);
}

TEST(every_bound_is_compared_with_measurements)
{
	struct lab_algorithm a;
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; lab_algorithm_at(i, &a); i++) {
		struct lab_measure m = { .algorithm = a.name };

		if (a.is_twin || a.over_store || begins_with(a.name, "toy-"))
			continue;
		expect_compared(m, a.rmr_cc);
		m.smart_cache = true;
		expect_compared(m, a.rmr_cc_smart ? a.rmr_cc_smart : a.rmr_cc);
		m.smart_cache = false;
		m.model = LAB_DSM;
		expect_compared(m, a.rmr_dsm);
		count++;
	}
	printf("    %u algorithms\n", count);
	assert_true(count >= 48);
}

/* In its first passage a process makes two remote reads, in DSM one, that later
 * passages do not make. */
TEST(roster_costs_2_references_in_cc_and_4_in_dsm_while_no_process_waits)
{
	struct lab_measure m = {
		.algorithm = "roster", .n = 16, .k = 2, .contention = 1
	};
	struct lab_row row = measured(m);

	(void)state;
	assert_int_equal(row.worst, 4);
	assert_true(row.mean < 2.1);
	m.model = LAB_DSM;
	row = measured(m);
	assert_int_equal(row.worst, 5);
	assert_true(row.mean < 4.1);
}

/* With one session only the first process has to sign up. */
TEST(hall_costs_2_references_in_cc_and_4_in_dsm_on_the_short_way)
{
	static const char *const names[] = { "hall", "hall-atomic" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct lab_measure m = { .algorithm = names[i],
					 .n = 16,
					 .sessions = 1,
					 .contention = 1,
					 .steps = 100000 };
		struct lab_row row = measured(m);

		assert_true(row.mean >= 2 && row.mean < 2.1);
		m.model = LAB_DSM;
		row = measured(m);
		assert_true(row.mean >= 4 && row.mean < 4.1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			theorems_4_and_8_hold_as_printed_with_the_printed_gates),
		cmocka_unit_test(
			theorems_3_and_7_hold_with_ceilings_with_the_printed_gate),
		cmocka_unit_test(theorems_4_and_8_are_exceeded_with_real_gates),
		cmocka_unit_test(
			k_bakery_safe_costs_at_most_25_references_per_other_process),
		cmocka_unit_test(
			session_tree_costs_at_most_20_per_level_outside_its_mutexes),
		cmocka_unit_test(
			line_19_of_two_session_asks_for_a_waiter_for_the_sake_of_the_cost),
		cmocka_unit_test(every_bound_is_compared_with_measurements),
		cmocka_unit_test(
			roster_costs_2_references_in_cc_and_4_in_dsm_while_no_process_waits),
		cmocka_unit_test(
			hall_costs_2_references_in_cc_and_4_in_dsm_on_the_short_way),
	};

	return RUN(tests);
}
