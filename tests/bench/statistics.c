/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the statistics of the bench programs. */
#include "bench/common/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * Returns the interval of the numbers 1 to count in random order.  Each number
 * is its own rank, so the bounds of the interval are ranks.
 */
static struct interval of_ranks(size_t count)
{
	double values[200];
	unsigned order[200];
	uint64_t random = 7;

	statistics_shuffle(order, count, &random);
	for (size_t i = 0; i < count; i++)
		values[i] = order[i] + 1;
	return statistics_interval(values, count);
}

/* The ranks that tables of the sign test give for 95%. */
static void the_interval_is_that_of_the_sign_test(void **state)
{
	static const struct {
		size_t count;
		double low;
	} table[] = { { 5, 1 },  { 6, 1 },   { 9, 2 },   { 11, 2 },
		      { 12, 3 }, { 31, 10 }, { 50, 18 }, { 100, 40 } };

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct interval found = of_ranks(table[i].count);
		double last = (double)table[i].count + 1;

		assert_true(found.low == table[i].low);
		assert_true(found.high == last - table[i].low);
		assert_true(found.median == last / 2);
	}
}

static void a_quantile_is_within_a_bucket_of_the_truth(void **state)
{
	static struct histogram h;

	(void)state;
	for (uint64_t v = 1; v <= 1000000; v++)
		histogram_add(&h, v);
	assert_true(h.total == 1000000 && h.largest == 1000000);
	for (double part = 0.001; part <= 1; part += 0.001) {
		double truth = part * 1e6, found = histogram_quantile(&h, part);

		assert_true(found > truth * 127 / 128 - 1);
		assert_true(found < truth * 129 / 128 + 1);
	}
	memset(&h, 0, sizeof h);
	histogram_add(&h, UINT64_MAX);
	histogram_add(&h, 0);
	assert_true(histogram_quantile(&h, 0.5) == 0);
	assert_true(histogram_quantile(&h, 1) > 1.8e19);
}

static void overtakes_are_counted_as_by_hand(void **state)
{
	/* Arrival 3 enters first and overtakes 0, 1 and 2; then 1 overtakes 0;
	 * and so on. */
	static const uint32_t arrivals[] = { 3, 1, 0, 2, 4 };
	static const uint64_t by_number[] = { 2, 2, 1, 0 };
	static struct histogram h;
	uint32_t tree[6];

	(void)state;
	statistics_overtakes(&h, arrivals, 5, tree);
	assert_true(h.largest == 2 && h.total == 5);
	for (size_t i = 0; i < 4; i++)
		assert_true(h.bucket[i] == by_number[i]);
}

static void overtakes_are_counted_as_by_comparing_all(void **state)
{
	enum { COUNT = 200 };
	static struct histogram fast, slow;
	unsigned order[COUNT];
	uint32_t tree[COUNT + 1];
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < 50; round++) {
		statistics_shuffle(order, COUNT, &random);
		statistics_overtakes(&fast, order, COUNT, tree);
		for (size_t i = 0; i < COUNT; i++) {
			uint64_t count = 0;

			for (size_t j = 0; j < i; j++)
				count += order[j] > order[i];
			histogram_add(&slow, count);
		}
	}
	assert_memory_equal(&fast, &slow, sizeof fast);
}

static void a_shuffle_is_a_permutation_and_repeats_with_its_seed(void **state)
{
	unsigned first[50], second[50];
	bool seen[50] = { false };
	uint64_t random = 3, again = 3;

	(void)state;
	statistics_shuffle(first, 50, &random);
	statistics_shuffle(second, 50, &again);
	assert_memory_equal(first, second, sizeof first);
	for (size_t i = 0; i < 50; i++) {
		assert_true(first[i] < 50 && !seen[first[i]]);
		seen[first[i]] = true;
	}
	statistics_shuffle(second, 50, &again);
	assert_memory_not_equal(first, second, sizeof first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_is_that_of_the_sign_test),
		cmocka_unit_test(a_quantile_is_within_a_bucket_of_the_truth),
		cmocka_unit_test(overtakes_are_counted_as_by_hand),
		cmocka_unit_test(overtakes_are_counted_as_by_comparing_all),
		cmocka_unit_test(
			a_shuffle_is_a_permutation_and_repeats_with_its_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
