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
			the_meter_completes_passages_over_safe_registers),
		cmocka_unit_test(
			the_meter_names_the_remote_word_that_a_process_waits_on),
	};

	return RUN(tests);
}
