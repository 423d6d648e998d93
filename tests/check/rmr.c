/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tests compare measured remote references with the bounds that the
 * algorithms state.  They measure every algorithm of the registry, so a new
 * algorithm need not be named here.  Runs of many processes are limited by the
 * number of steps, not by time.  Therefore they give the same numbers every
 * time.
 */
#include "check.h"
#include "tests/common/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The number of steps that each adversary makes; in a small run it makes a
 * fifth of this number. */
enum { STEPS = 30000 };

/* Returns false if the algorithm has no such instance. */
static bool measured(struct lab_measure m, struct lab_row *row)
{
	char error[LAB_ERROR];
	bool usage, done;

	m.sessions = -1;
	m.seed = 1;
	m.seconds = size_is_small() ? 0.05 : 0.25;
	if (size_is_small())
		m.steps /= 5;
	done = lab_measure(&m, row, error, &usage);
	if (!done && usage) {
		m.k = -1; /* use the default: there may be only one k */
		done = lab_measure(&m, row, error, &usage);
	}
	if (!done && !usage)
		fail_msg("%s: %s", m.algorithm, error);
	return done;
}

static bool is_above(const struct lab_row *r)
{
	return (r->has_bound && (r->waits_on[0] || r->worst > r->bound)) ||
	       (r->has_bound_outside && r->has_outside &&
		r->worst_outside > r->bound_outside) ||
	       (r->has_bound_amortised && r->has_amortised &&
		r->amortised > (double)r->bound_amortised);
}

static void print_row(const struct lab_row *r, enum lab_model model)
{
	printf("    %s n=%u k=%u contention=%u %s%s: worst %" PRIu64
	       ", bound %" PRIu64 ", outside %" PRIu64 " of %" PRIu64
	       ", %s%s%s\n",
	       r->algorithm, r->n, r->k, r->contention,
	       model == LAB_CC ? "cc" : "dsm", r->smart_cache ? " smart" : "",
	       r->worst, r->bound, r->worst_outside, r->bound_outside,
	       r->method, r->waits_on[0] ? ", waits on " : "", r->waits_on);
}

static unsigned count_above(struct lab_measure m)
{
	struct lab_row row;

	if (!measured(m, &row))
		return 0;
	print_row(&row, m.model);
	if (!is_above(&row))
		return 0;
	print_error("%s is above its bound\n", row.algorithm);
	return 1;
}

/* Measures in both models, and with a smart cache if the algorithm states a
 * bound for it. */
static unsigned count_above_models(struct lab_measure m,
				   const struct lab_algorithm *a)
{
	unsigned above = 0;

	m.algorithm = a->name;
	m.model = LAB_CC;
	if (a->bound_cc)
		above += count_above(m);
	if (a->rmr_cc_smart) {
		m.smart_cache = true;
		above += count_above(m);
		m.smart_cache = false;
	}
	if (a->rmr_cc_keeps) {
		m.writer_keeps = true;
		above += count_above(m);
		m.writer_keeps = false;
	}
	m.model = LAB_DSM;
	return above + (a->bound_dsm ? count_above(m) : 0);
}

static bool is_real(const struct lab_algorithm *a)
{
	return !a->is_twin && strncmp(a->name, "toy-", 4) != 0;
}

/* Measures the algorithm over every component that it can have. */
static unsigned count_above_composed(struct lab_measure m, const char *owner)
{
	struct lab_algorithm a;
	const char *component;
	char name[128];
	unsigned above = 0;

	for (size_t i = 0; (component = lab_component_at(owner, i)); i++) {
		snprintf(name, sizeof name, "%s/%s", owner, component);
		if (lab_algorithm_named(name, &a) && !a.is_twin &&
		    !strstr(name, "/toy-"))
			above += count_above_models(m, &a);
	}
	return above;
}

static void expect_within_bounds(struct lab_measure m)
{
	struct lab_algorithm a;
	unsigned above = 0;

	for (size_t i = 0; lab_algorithm_at(i, &a); i++) {
		if (!is_real(&a))
			continue;
		above += count_above_models(m, &a);
		if (m.steps) /* an exhaustive search would take too long */
			above += count_above_composed(m, a.name);
	}
	fflush(stdout);
	assert_int_equal(above, 0);
}

TEST(no_schedule_of_a_few_processes_costs_more_than_the_bound)
{
	(void)state;
	expect_within_bounds((struct lab_measure){ .n = 3, .k = 2 });
	expect_within_bounds((struct lab_measure){ .n = 2, .k = 1 });
}

TEST(no_adversary_makes_a_passage_cost_more_than_the_bound)
{
	(void)state;
	expect_within_bounds(
		(struct lab_measure){ .n = 8, .k = 2, .steps = STEPS });
	expect_within_bounds(
		(struct lab_measure){ .n = 16, .k = 4, .steps = STEPS });
	expect_within_bounds(
		(struct lab_measure){ .n = 13, .k = 5, .steps = STEPS });
}

/* With 16 processes a cost that grows with n can still be below 20. */
TEST(a_constant_bound_holds_for_32_processes)
{
	struct lab_measure m = { .algorithm = "two-session",
				 .n = 32,
				 .k = -1,
				 .model = LAB_CC,
				 .smart_cache = true,
				 .steps = 5 * STEPS };

	struct lab_row row;

	(void)state;
	assert_int_equal(count_above(m), 0);
	m.smart_cache = false;
	assert_true(measured(m, &row));
	assert_true(row.worst_outside > 20);
	assert_false(is_above(&row));
}

/* Late leavers make a waiter read its word again and again. */
TEST(the_smart_bound_of_tree_mutex_does_not_hold_for_other_caches)
{
	struct lab_measure m = { .algorithm = "tree-mutex",
				 .n = 256,
				 .k = -1,
				 .adversary = "late",
				 .steps = 8000000 };
	struct lab_row row;
	uint64_t smart;

	(void)state;
	if (size_is_small())
		return;
	m.smart_cache = true;
	assert_true(measured(m, &row));
	assert_false(is_above(&row));
	smart = row.bound;
	m.smart_cache = false;
	assert_true(measured(m, &row));
	print_row(&row, m.model);
	assert_true(row.worst > smart);
	assert_false(is_above(&row));
}

TEST(low_contention_costs_no_more_than_the_bound_for_low_contention)
{
	(void)state;
	expect_within_bounds((struct lab_measure){
		.n = 8, .k = 2, .contention = 2, .steps = STEPS });
	expect_within_bounds((struct lab_measure){
		.n = 16, .k = 4, .contention = 4, .steps = STEPS });
	expect_within_bounds((struct lab_measure){
		.n = 16, .k = 4, .contention = 5, .steps = STEPS });
}

static void expect_worst(struct lab_measure m, uint64_t worst)
{
	struct lab_row row;

	assert_true(measured(m, &row));
	print_row(&row, m.model);
	assert_true(row.has_worst);
	assert_int_equal(row.worst, worst);
}

/* In one cell, a process makes 3 remote references if it need not wait, and up
 * to 7 if it must wait. */
TEST(contention_is_kept_by_adversaries_and_by_the_search)
{
	struct lab_measure few = {
		.algorithm = "am-induction", .n = 4, .k = 2, .contention = 2
	};
	struct lab_measure all = {
		.algorithm = "am-induction", .n = 8, .k = 2, .steps = STEPS
	};

	(void)state;
	expect_worst(few, 6);
	expect_worst(all, 42);
	all.contention = 2;
	expect_worst(all, 18);
}

TEST(full_contention_reaches_the_bound_of_the_theorem)
{
	struct lab_measure m = {
		.algorithm = "am-induction", .n = 16, .k = 2, .steps = STEPS
	};

	(void)state;
	expect_worst(m, 98);
	m = (struct lab_measure){
		.algorithm = "k-ticket", .n = 64, .k = 4, .steps = STEPS
	};
	expect_worst(m, 63);
}

/* Each process that is not needed to keep the slots full is late, and its
 * failed compare-and-swap costs a waiter one reference. */
TEST(late_leavers_make_one_passage_of_choi_expensive)
{
	static const struct {
		int n, k;
		uint64_t steps, least;
	} rows[] = { { 8, 2, 50000, 15 },
		     { 16, 4, 50000, 23 },
		     { 64, 8, 200000, 68 },
		     { 256, 8, 3000000, 260 } };
	struct lab_measure m = { .algorithm = "choi", .adversary = "late" };
	struct lab_row row;

	(void)state;
	for (size_t i = 0; i < (size_is_small() ? 3 : 4); i++) {
		m.n = rows[i].n;
		m.k = rows[i].k;
		m.steps = rows[i].steps * (size_is_small() ? 5 : 1);
		assert_true(measured(m, &row));
		print_row(&row, m.model);
		assert_true(row.worst >= rows[i].least);
	}
}

static double mean_of(const char *algorithm, int k, bool smart_cache)
{
	struct lab_measure m = { .algorithm = algorithm,
				 .n = 3 * k,
				 .k = k,
				 .smart_cache = smart_cache,
				 .adversary = "late",
				 .steps = size_is_small() ? 2000000 : 400000 };
	struct lab_row row;

	assert_true(measured(m, &row));
	print_row(&row, m.model);
	assert_true(row.has_mean);
	return row.mean;
}

/* With more blocks, late leavers disturb waiters less often. */
TEST(late_leavers_make_all_passages_of_choi_expensive_but_not_of_choi_plain)
{
	(void)state;
	assert_true(mean_of("choi", 8, false) > 14);
	assert_true(mean_of("choi", 16, false) >
		    mean_of("choi-plain", 16, false) + 4);
	assert_true(mean_of("choi", 16, false) > mean_of("choi", 16, true) + 3);
}

/* A run of all adversaries reports the amortised cost of the adversary for
 * which this cost is largest.  A run of that adversary alone gives the same
 * cost. */
TEST(the_amortised_cost_is_that_of_the_worst_adversary)
{
	struct lab_measure m = {
		.algorithm = "choi", .n = 24, .k = 8, .steps = 20 * STEPS
	};
	struct lab_row all, one;

	(void)state;
	assert_true(measured(m, &all));
	assert_true(all.has_amortised);
	assert_true(all.amortised > all.mean);
	assert_string_equal(all.amortised_by, "late");
	m.adversary = all.amortised_by;
	assert_true(measured(m, &one));
	assert_true(one.amortised == all.amortised);
	assert_int_equal(one.amortised_seed, all.amortised_seed);
	assert_true(one.amortised < (double)one.worst);
}

TEST(the_amortised_cost_of_choi_plain_grows_with_the_logarithm_of_k)
{
	struct lab_measure m = { .algorithm = "choi-plain",
				 .steps = 10 * STEPS };
	struct lab_row row;

	(void)state;
	for (m.k = 2; m.k <= 64; m.k *= 2) {
		m.n = 3 * m.k;
		assert_true(measured(m, &row));
		print_row(&row, m.model);
		printf("    amortised %.1f of %" PRIu64 ", with %s\n",
		       row.amortised, row.bound_amortised, row.amortised_by);
		assert_true(row.has_bound_amortised);
		assert_false(is_above(&row));
	}
}

/* The meter must not report that k-bakery waits on a word that belongs to no
 * process. */
TEST(a_process_that_waits_in_its_own_memory_has_a_worst_case_in_dsm)
{
	struct lab_measure m = { .algorithm = "k-bakery",
				 .n = 16,
				 .k = 2,
				 .model = LAB_DSM,
				 .steps = STEPS };

	(void)state;
	expect_worst(m, 60);
}

TEST(a_bound_that_is_too_low_is_noticed)
{
	struct lab_measure m = { .algorithm = "toy-underpriced", .n = 3 };
	struct lab_row row;

	(void)state;
	for (unsigned n = 3; n <= 8; n += 5) {
		m.n = (int)n;
		m.k = 2;
		m.model = LAB_CC;
		assert_true(measured(m, &row));
		assert_int_equal(row.worst, 3);
		assert_true(is_above(&row));
		assert_int_equal(row.bound_amortised, 2);
		assert_true(row.amortised > 2);
		m.model = LAB_DSM;
		assert_true(measured(m, &row));
		assert_true(is_above(&row));
	}
}

TEST(a_smart_cache_has_its_own_bound)
{
	struct lab_measure m = { .algorithm = "toy-underpriced",
				 .n = 3,
				 .k = 2,
				 .smart_cache = true };
	struct lab_row row;

	(void)state;
	assert_true(measured(m, &row));
	assert_true(row.smart_cache);
	assert_string_equal(row.bound_text, "2");
	assert_int_equal(row.worst, 2);
	assert_false(is_above(&row));
}

/* The published number counts no reference for the first look at a word that
 * the process has written itself. */
TEST(danek_fcfs_meets_its_published_bound_if_a_writer_keeps_a_copy)
{
	struct lab_measure m = { .algorithm = "danek-fcfs/queue-mutex",
				 .n = 2 };
	struct lab_row row;

	(void)state;
	assert_true(measured(m, &row));
	assert_int_equal(row.worst_outside, 7);
	m.writer_keeps = true;
	assert_true(measured(m, &row));
	assert_true(row.writer_keeps);
	assert_int_equal(row.worst_outside, 6);
	assert_int_equal(row.bound_outside, 6);
	m.n = 8;
	m.steps = STEPS;
	assert_true(measured(m, &row));
	assert_int_equal(row.bound_outside, 30);
	assert_in_range(row.worst_outside, 27, 30);
}

/* A process that competes with few others uses the first seats, however many
 * processes there are. */
TEST(the_cost_of_an_adaptive_mutex_depends_on_contention_and_not_on_n)
{
	struct lab_measure m = { .algorithm = "adaptive-mutex",
				 .contention = 1,
				 .steps = STEPS };

	(void)state;
	for (unsigned n = 4; n <= 256; n *= 8) {
		m.n = (int)n;
		m.model = LAB_CC;
		expect_worst(m, 24);
		m.model = LAB_DSM;
		expect_worst(m, 24);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			no_schedule_of_a_few_processes_costs_more_than_the_bound),
		cmocka_unit_test(
			no_adversary_makes_a_passage_cost_more_than_the_bound),
		cmocka_unit_test(a_constant_bound_holds_for_32_processes),
		cmocka_unit_test(
			the_smart_bound_of_tree_mutex_does_not_hold_for_other_caches),
		cmocka_unit_test(
			low_contention_costs_no_more_than_the_bound_for_low_contention),
		cmocka_unit_test(
			contention_is_kept_by_adversaries_and_by_the_search),
		cmocka_unit_test(
			full_contention_reaches_the_bound_of_the_theorem),
		cmocka_unit_test(
			the_amortised_cost_is_that_of_the_worst_adversary),
		cmocka_unit_test(
			the_amortised_cost_of_choi_plain_grows_with_the_logarithm_of_k),
		cmocka_unit_test(
			late_leavers_make_one_passage_of_choi_expensive),
		cmocka_unit_test(
			late_leavers_make_all_passages_of_choi_expensive_but_not_of_choi_plain),
		cmocka_unit_test(
			a_process_that_waits_in_its_own_memory_has_a_worst_case_in_dsm),
		cmocka_unit_test(a_bound_that_is_too_low_is_noticed),
		cmocka_unit_test(a_smart_cache_has_its_own_bound),
		cmocka_unit_test(
			danek_fcfs_meets_its_published_bound_if_a_writer_keeps_a_copy),
		cmocka_unit_test(
			the_cost_of_an_adaptive_mutex_depends_on_contention_and_not_on_n),
	};

	return RUN(tests);
}
