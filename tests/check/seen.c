/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The set of states seen: what was added is there, also after it has grown, and
 * it takes what it was given.
 */
#include "checker/seen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* The i-th of a row in which nothing comes twice: each step can be undone. */
static uint64_t fingerprint(uint64_t i)
{
	i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	i ^= i >> 31;
	return i * UINT64_C(0xbf58476d1ce4e5b9);
}

/* How many there was room for. */
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

static void nothing_is_lost_and_no_memory_left_over(void **state)
{
	(void)state;
	/* Last growths from an eighth to three quarters. */
	for (size_t budget = 1 << 20; budget < 9 << 20; budget += 400009) {
		struct seen s;
		uint64_t count;

		assert_true(seen_open(&s, budget, false));
		count = fill(&s);
		/* A ninth may be left, and a tenth of the rest stays empty. */
		assert_true(count * sizeof(uint64_t) >= budget / 100 * 70);
		assert_true(seen_bytes(&s) <= budget);
		for (uint64_t i = 0; i < count; i++)
			assert_false(seen_add(&s, fingerprint(i)));
		for (uint64_t i = count; i < 2 * count; i++)
			assert_false(seen_has(&s, fingerprint(i)));
		seen_close(&s);
	}
}

static void a_budget_for_nothing_is_room_for_a_few(void **state)
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
		cmocka_unit_test(nothing_is_lost_and_no_memory_left_over),
		cmocka_unit_test(a_budget_for_nothing_is_room_for_a_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
