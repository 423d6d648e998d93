/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the meter of remote references on instances whose worst case is known.
 */
#include "check.h"
#include "tests/common/size.h"

#include <string.h>

static void measure(const char *algorithm, int n, int k, enum lab_model model,
		    uint64_t worst)
{
	struct lab_measure m = { .algorithm = algorithm,
				 .n = n,
				 .k = k,
				 .sessions = -1,
				 .model = model,
				 .seed = 1,
				 .seconds = 30 };
	struct lab_row row;
	char error[LAB_ERROR];
	bool usage;

	assert_true(lab_measure(&m, &row, error, &usage));
	assert_string_equal(row.method, "exhaustive");
	assert_true(row.has_worst);
	assert_int_equal(row.worst, worst);
	assert_true(!row.has_bound || row.worst <= row.bound);
}

TEST(the_meter_counts_as_many_references_as_the_theorems_say)
{
	(void)state;
	measure("am-induction", 2, 1, LAB_CC, 7);
	measure("k-bakery", 3, 1, LAB_DSM, 8);
	if (size_is_small())
		return;
	measure("am-induction", 3, 2, LAB_CC, 7);
	measure("am-induction", 3, 1, LAB_CC, 14);
	measure("k-ticket", 3, 1, LAB_CC, 5);
	measure("k-ticket", 3, 2, LAB_CC, 4);
	measure("k-bakery-fife", 2, 1, LAB_CC, 12);
	measure("k-bakery-fife", 2, 1, LAB_DSM, 5);
	measure("k-bakery-safe", 2, 1, LAB_DSM, 10);
}

/*
 * With a cache that is not smart, the waiter that arrives last in toy-restless
 * looks once when it arrives, and three times for each process before it: after
 * a compare-and-swap that fails, after a write of the same value, and after the
 * write that lets the next process in.  The first and the last write cost 1
 * each, and so does the failed compare-and-swap.  A smart cache saves one look
 * for each process before it.
 */
static void measure_restless(struct lab_measure m, uint64_t worst)
{
	struct lab_row row;
	char error[LAB_ERROR];
	bool usage;

	m.algorithm = "toy-restless";
	m.sessions = -1;
	m.model = LAB_CC;
	m.seed = 1;
	for (m.k = 1; m.k <= 2; m.k++) {
		assert_true(lab_measure(&m, &row, error, &usage));
		assert_int_equal(row.worst, worst);
		if (!m.steps) {
			assert_string_equal(row.method, "exhaustive");
			assert_int_equal(row.searched, worst);
		}
	}
}

TEST(a_waiter_pays_if_its_copy_becomes_invalid_and_the_value_stays_the_same)
{
	(void)state;
	measure_restless((struct lab_measure){ .n = 3, .seconds = 3 }, 11);
	measure_restless((struct lab_measure){ .n = 3,
					       .seconds = 3,
					       .smart_cache = true },
			 9);
	measure_restless((struct lab_measure){ .n = 8, .steps = 20000 }, 26);
	measure_restless((struct lab_measure){ .n = 8,
					       .steps = 20000,
					       .smart_cache = true },
			 19);
}

/* Reads of safe registers that overlap writes must not leave all processes
 * waiting. */
TEST(the_meter_completes_passages_over_safe_registers)
{
	struct lab_measure m = { .algorithm = "bakery",
				 .n = 2,
				 .k = 1,
				 .sessions = -1,
				 .model = LAB_CC,
				 .seed = 1,
				 .steps = 100000 };
	struct lab_row row;
	char error[LAB_ERROR];
	bool usage;

	(void)state;
	assert_true(lab_measure(&m, &row, error, &usage));
	assert_int_equal(row.worst, 10);
	assert_true(row.passages > 0);
}

TEST(the_meter_names_the_remote_word_that_a_process_waits_on)
{
	struct lab_measure m = { .algorithm = "k-ticket",
				 .n = 2,
				 .k = 1,
				 .sessions = -1,
				 .model = LAB_DSM,
				 .steps = 100000 };
	struct lab_row row;
	char error[LAB_ERROR];
	bool usage;

	(void)state;
	assert_true(lab_measure(&m, &row, error, &usage));
	assert_false(row.has_worst);
	assert_string_equal(row.waits_on, "served");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_meter_counts_as_many_references_as_the_theorems_say),
		cmocka_unit_test(
			a_waiter_pays_if_its_copy_becomes_invalid_and_the_value_stays_the_same),
		cmocka_unit_test(
			the_meter_completes_passages_over_safe_registers),
		cmocka_unit_test(
			the_meter_names_the_remote_word_that_a_process_waits_on),
	};

	return RUN(tests);
}
