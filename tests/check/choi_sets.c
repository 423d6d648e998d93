/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the Wait-Sets and Release-Sets of
 * algorithms/k_exclusion/choi_sets.h are the sets that Choi's thesis defines,
 * over ceil(log2 k) bits and with j in Wait-Set(j).  For all k up to 256 they
 * have the properties P1 to P6 that the proof in the thesis uses.
 */
#include "algorithms/k_exclusion/choi_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { MOST_K = 256 };

struct set {
	unsigned count, element[2 * MOST_K];
};

static struct set wait_set(unsigned j, unsigned k)
{
	struct set s = { 0 };

	for (uint64_t w = j; w < k; w = choi_next_waited(j, w, k))
		s.element[s.count++] = (unsigned)w;
	return s;
}

/* The Release-Set without its first element, -1. */
static struct set release_set(unsigned j)
{
	struct set s = { 0 };

	for (int64_t r = choi_next_released(j, -1); r <= j;
	     r = choi_next_released(j, r))
		s.element[s.count++] = (unsigned)r;
	return s;
}

static bool contains(const struct set *s, unsigned element)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->element[i] == element)
			return true;
	return false;
}

static bool ascends(const struct set *s)
{
	for (unsigned i = 1; i < s->count; i++)
		if (s->element[i] <= s->element[i - 1])
			return false;
	return true;
}

/* The least common element; MOST_K if the sets have none. */
static unsigned meet(const struct set *a, const struct set *b)
{
	for (unsigned i = 0; i < a->count; i++)
		if (contains(b, a->element[i]))
			return a->element[i];
	return MOST_K;
}

/* Whether b is in Wait-Set(j) as the thesis defines it over this number of
 * bits. */
static bool is_waited(unsigned j, unsigned b, unsigned k, unsigned bits)
{
	for (unsigned x = 0; x < bits; x++)
		if (b >= j && b == (j >> (x + 1) << (x + 1) | 1u << x))
			return true;
	return b == j || b == k - 1;
}

static bool is_released(unsigned j, unsigned b, unsigned bits)
{
	for (unsigned x = 0; x <= bits; x++)
		if (b == j >> x << x)
			return true;
	return false;
}

static void assert_set(struct set s, const char *expected)
{
	char text[256] = "";
	size_t used = 0;

	for (unsigned i = 0; i < s.count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "%s%u", i ? "," : "", s.element[i]);
	assert_string_equal(text, expected);
}

static void small_sets_equal_those_of_the_page(void **state)
{
	static const struct {
		unsigned k;
		const char *wait[5], *release[5];
	} known[] = {
		{ 1, { "0" }, { "0" } },
		{ 2, { "0,1", "1" }, { "0", "0,1" } },
		{ 3, { "0,1,2", "1,2", "2" }, { "0", "0,1", "0,2" } },
		{ 5,
		  { "0,1,2,4", "1,2,4", "2,3,4", "3,4", "4" },
		  { "0", "0,1", "0,2", "0,2,3", "0,4" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		for (unsigned j = 0; j < known[i].k; j++) {
			assert_set(wait_set(j, known[i].k), known[i].wait[j]);
			assert_set(release_set(j), known[i].release[j]);
		}
	}
}

static void a_place_has_ceil_log2_k_bits(void **state)
{
	(void)state;
	for (unsigned k = 1; k <= MOST_K; k++) {
		assert_true(1u << choi_bits(k) >= k);
		assert_true(k == 1 || 1u << (choi_bits(k) - 1) < k);
	}
}

static void sets_are_as_defined_and_ascend(void **state)
{
	(void)state;
	for (unsigned k = 1; k <= MOST_K; k++) {
		unsigned bits = choi_bits(k);

		for (unsigned j = 0; j < k; j++) {
			struct set w = wait_set(j, k), r = release_set(j);

			assert_true(ascends(&w) && ascends(&r));
			for (unsigned b = 0; b < k; b++) {
				assert_int_equal(contains(&w, b),
						 is_waited(j, b, k, bits));
				assert_int_equal(contains(&r, b),
						 is_released(j, b, bits));
			}
		}
	}
}

static void sets_are_within_bounds(void **state) /* P1, P2, P3, P6 */
{
	(void)state;
	for (unsigned k = 1; k <= MOST_K; k++) {
		for (unsigned j = 0; j < k; j++) {
			struct set w = wait_set(j, k), r = release_set(j);

			assert_true(w.element[0] >= j);
			assert_true(w.element[w.count - 1] <= k - 1);
			assert_true(r.element[r.count - 1] <= j);
			assert_true(w.count <= choi_bits(k) + 2);
			assert_true(r.count <= choi_bits(k) + 1);
		}
	}
}

/* P4 and P5: Wait-Set(i) and Release-Set(j) have a least common element, which
 * does not decrease when i grows. */
static void wait_sets_and_release_sets_meet_in_order(void **state)
{
	(void)state;
	for (unsigned k = 1; k <= MOST_K; k++) {
		for (unsigned j = 0; j < k; j++) {
			struct set r = release_set(j);
			unsigned least = 0;

			for (unsigned i = 0; i <= j; i++) {
				struct set w = wait_set(i, k);
				unsigned at = meet(&w, &r);

				assert_true(at < k && at >= least);
				least = at;
			}
		}
	}
}

/* The number of common elements; `printed` leaves 0 out of Wait-Set(0), as the
 * thesis does. */
static unsigned common(unsigned i, unsigned j, unsigned k, bool printed)
{
	struct set w = wait_set(i, k), r = release_set(j);
	unsigned count = 0;

	for (unsigned e = 0; e < w.count; e++)
		if (!printed || k == 1 || w.element[e] > 0)
			count += contains(&r, w.element[e]);
	return count;
}

/* The number of pairs i < j whose sets have more than one common element. */
static unsigned pairs_that_meet_twice(unsigned k, bool printed)
{
	unsigned pairs = 0;

	for (unsigned j = 0; j < k; j++)
		for (unsigned i = 0; i < j; i++)
			pairs += common(i, j, k, printed) > 1;
	return pairs;
}

/* Lemma 1 of the thesis: for i < j the two sets have exactly one common
 * element.  P4 and P5 need only that they have one. */
static void lemma_1_fails_from_k_4_on_and_with_our_sets_from_k_2_on(
	void **state)
{
	(void)state;
	for (unsigned k = 1; k <= MOST_K; k++) {
		assert_int_equal(pairs_that_meet_twice(k, true) > 0, k >= 4);
		assert_int_equal(pairs_that_meet_twice(k, false) > 0, k >= 2);
	}
	/* Wait-Set(2) and Release-Set(3) have 2 and 3 in common. */
	assert_int_equal(common(2, 3, 5, true), 2);
	/* Wait-Set(0) and Release-Set(1) have 0, too, if it is in the first. */
	assert_int_equal(common(0, 1, 2, true), 1);
	assert_int_equal(common(0, 1, 2, false), 2);
}

/* Whether P4 and P5 hold for the sets that the thesis defines over this number
 * of bits. */
static bool meets_in_order(unsigned k, unsigned bits)
{
	for (unsigned j = 0; j < k; j++) {
		unsigned least = 0;

		for (unsigned i = 0; i <= j; i++) {
			unsigned b = i;

			while (b < k && !(is_waited(i, b, k, bits) &&
					  is_released(j, b, bits)))
				b++;
			if (b == k || b < least)
				return false;
			least = b;
		}
	}
	return true;
}

static void one_bit_fewer_is_too_few_but_for_1_and_2_to_the_m_plus_1(
	void **state)
{
	(void)state;
	for (unsigned k = 2; k <= MOST_K; k++) {
		bool power = ((k - 1) & (k - 2)) == 0;

		assert_int_equal(meets_in_order(k, choi_bits(k) - 1), power);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_sets_equal_those_of_the_page),
		cmocka_unit_test(a_place_has_ceil_log2_k_bits),
		cmocka_unit_test(sets_are_as_defined_and_ascend),
		cmocka_unit_test(sets_are_within_bounds),
		cmocka_unit_test(wait_sets_and_release_sets_meet_in_order),
		cmocka_unit_test(
			lemma_1_fails_from_k_4_on_and_with_our_sets_from_k_2_on),
		cmocka_unit_test(
			one_bit_fewer_is_too_few_but_for_1_and_2_to_the_m_plus_1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
