/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the set of visited states: added states stay in the set even when it
 * grows, and the set uses the memory that it was given.
 */
#include "checker/seen.h"
#include "tests/common/size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* The i-th number of a sequence without repetitions: each line of the function
 * is invertible, so different i give different numbers. */
static uint64_t fingerprint(uint64_t i)
{
	i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	i ^= i >> 31;
	return i * UINT64_C(0xbf58476d1ce4e5b9);
}

/* Fills the set; returns how many states fit. */
static uint64_t fill(struct seen *s)
{
	uint64_t count = 0;

	do {
		while (!seen_needs_growth(s, count))
			assert_true(seen_add(s, fingerprint(count++)));
		for (uint64_t i = 0; i < count; i++)
			assert_true(seen_has(s, fingerprint(i)));
	} while (seen_grow(s));
	return count;
}

static void no_state_is_lost_and_the_memory_is_used(void **state)
{
	const size_t most = size_is_small() ? 3 << 20 : 9 << 20;
	const size_t step = size_is_small() ? 200003 : 400009;

	(void)state;
	/* With these budgets the last growth enlarges the set by many different
	 * amounts, between one eighth and three quarters. */
	for (size_t budget = 1 << 20; budget < most; budget += step) {
		struct seen s;
		uint64_t count;

		assert_true(seen_open(&s, budget, false));
		count = fill(&s);
		/* Up to a ninth of the budget may be unused, and a tenth of the
		 * table stays empty. */
		assert_true(count * sizeof(uint64_t) >= budget / 100 * 70);
		assert_true(seen_bytes(&s) <= budget);
		for (uint64_t i = 0; i < count; i++)
			assert_false(seen_add(&s, fingerprint(i)));
		for (uint64_t i = count; i < 2 * count; i++)
			assert_false(seen_has(&s, fingerprint(i)));
		seen_close(&s);
	}
}

static void a_budget_of_zero_allows_a_few_states(void **state)
{
	struct seen s;

	(void)state;
	assert_true(seen_open(&s, 1, false));
	assert_true(seen_add(&s, 0));
	assert_false(seen_add(&s, 0));
	assert_true(seen_has(&s, 0));
	assert_false(seen_grow(&s));
	seen_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_state_is_lost_and_the_memory_is_used),
		cmocka_unit_test(a_budget_of_zero_allows_a_few_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
