/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the bounds on remote references are the right ones: those of
 * theorems hold as printed or are exceeded, as the cards say, and no algorithm
 * states a bound that rmr.c does not compare with measurements.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			theorems_4_and_8_hold_as_printed_with_the_printed_gates),
		cmocka_unit_test(
			theorems_3_and_7_hold_with_ceilings_with_the_printed_gate),
		cmocka_unit_test(theorems_4_and_8_are_exceeded_with_real_gates),
	};

	return RUN(tests);
}
