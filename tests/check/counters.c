/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests unbounded passages of algorithms whose counters grow for ever.  The
 * checker treats states that differ only in their counters as one state; the
 * rules in an algorithm's table say which differences matter.  These tests also
 * show that the checker refuses wrong rules.
 */
#include "check.h"
#include "tests/common/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUESTION(...)                                        \
	((struct lab_question){ .n = -1,                     \
				.k = -1,                     \
				.sessions = -1,              \
				.crashes = -1,               \
				.deaths = -1,                \
				.aborts = -1,                \
				.memory = (uint64_t)4 << 30, \
				__VA_ARGS__ })
#define UNBOUNDED(...) \
	QUESTION(.passages = { 0 }, .passage_count = 1, __VA_ARGS__)

static struct lab_check *ask(struct lab_question q)
{
	char error[LAB_ERROR];
	struct lab_check *c = lab_check_start(&q, error);

	if (!c)
		fail_msg("%s", error);
	while (lab_check_advance(c, 3600, NULL))
		;
	return c;
}

/* The full sizes run in `make test-all`. */
static bool is_full(void)
{
	return !size_is_small();
}

TEST(k_ticket_starves_no_process_in_unbounded_passages)
{
	(void)state;
	expect_holds("k-ticket", .n = 3, .k = 1, .passages = -1);
	expect_holds("k-ticket", .n = 3, .k = 2, .passages = -1);
	expect_holds("k-ticket", .n = 4, .k = 2, .passages = -1);
}

TEST(bakeries_starve_no_process_in_unbounded_passages)
{
	(void)state;
	expect_holds("bakery", .n = 2, .passages = -1);
	expect_holds("k-bakery", .n = 2, .k = 1, .passages = -1);
	expect_holds("k-bakery", .n = 2, .k = 2, .passages = -1);
	expect_holds("k-bakery-fife", .n = 2, .k = 1, .passages = -1);
	if (!is_full())
		return;
	expect_holds("bakery", .n = 3, .passages = -1);
	expect_holds("k-bakery", .n = 3, .k = 1, .passages = -1);
	expect_holds("k-bakery", .n = 3, .k = 2, .passages = -1,
		     .only = "at-most-k, no-deadlock, no-starvation");
}

TEST(choi_starves_no_process_in_unbounded_passages)
{
	(void)state;
	expect_holds("choi", .n = 2, .k = 1, .passages = -1);
	expect_holds("choi", .n = 2, .k = 2, .passages = -1);
	expect_holds("choi", .n = 3, .k = 1, .passages = -1);
	expect_holds("decker", .n = 3, .k = 1, .passages = -1);
}

TEST(tree_mutex_and_reductions_starve_no_process_in_unbounded_passages)
{
	(void)state;
	expect_holds("tree-mutex", .n = 2, .passages = -1);
	expect_holds("bakery-mutex", .n = 2, .passages = -1);
	if (!is_full())
		return;
	expect_holds("danek-fife", .n = 2, .passages = -1);
	expect_holds("capture-rw", .n = 2, .passages = -1);
}

/* Ask the same bounded question with and without the rules. */
static void compare(const char *algorithm, int n, int k, int passages)
{
	struct lab_question q = QUESTION(.algorithm = algorithm, .n = n, .k = k,
					 .passages = { passages },
					 .passage_count = 1);
	struct lab_check *plain = ask(q), *ruled;
	const struct lab_answer *a = lab_check_answer(plain), *b;

	q.canonical = true;
	ruled = ask(q);
	b = lab_check_answer(ruled);
	printf("    %s n=%d k=%d passages=%d: %" PRIu64 " states, with the "
	       "rules %" PRIu64 "\n",
	       algorithm, n, k, passages, a->states, b->states);
	if (a->verdict != b->verdict || a->violated != b->violated)
		fail_msg("%s: verdict %d, violated %x; with the rules verdict "
			 "%d, violated %x: %s",
			 algorithm, (int)a->verdict, a->violated,
			 (int)b->verdict, b->violated, b->message);
	lab_check_end(plain);
	lab_check_end(ruled);
}

TEST(bounded_verdicts_are_the_same_with_the_rules)
{
	(void)state;
	compare("k-ticket", 3, 2, 2);
	compare("bakery", 2, 1, 3);
	compare("k-bakery", 2, 1, 3);
	compare("k-bakery", 3, 2, 1);
	compare("choi", 3, 1, 2);
	compare("choi", 3, 2, 1);
	compare("tree-mutex", 2, 1, 1);
	compare("k-ticket~one-more", 3, 1, 2);
	compare("k-ticket~no-wake", 3, 1, 2);
	compare("k-ticket~unsigned", 3, 2, 2);
	compare("bakery~no-doorway-wait", 2, 1, 2);
	compare("k-bakery~no-14", 2, 1, 2);
	compare("k-bakery~no-wake", 2, 1, 2);
	compare("k-bakery~gap-1", 2, 1, 2);
	compare("choi~one-more", 3, 1, 1);
	compare("choi~no-wake", 3, 1, 2);
	compare("choi~wait-set-0", 3, 2, 2);
	compare("toy-versions", 2, 1, 2);
}

static void expect_wrong_rules(struct lab_question q)
{
	struct lab_check *c = ask(q);
	const struct lab_answer *a = lab_check_answer(c);

	printf("    %s: %s\n", q.algorithm, a->message);
	assert_int_equal(a->verdict, LAB_FAILED);
	assert_non_null(strstr(a->message, "the rules of the counters of"));
	assert_non_null(strstr(a->message, q.algorithm));
	lab_check_end(c);
}

TEST(wrong_rules_are_refused)
{
	(void)state;
	expect_wrong_rules(UNBOUNDED(.algorithm = "k-ticket~gap-0", .k = 2));
	expect_wrong_rules(UNBOUNDED(.algorithm = "bakery~gap-1"));
	expect_wrong_rules(UNBOUNDED(.algorithm = "k-bakery~gap-1", .k = 2));
}

/* A schedule in which a process starves repeats canonical states only: the
 * version grows from round to round. */
TEST(a_starving_process_is_found_although_the_version_grows)
{
	struct lab_question q = UNBOUNDED(.algorithm = "toy-versions", .n = 2);
	struct lab_check *c, *again;
	const struct lab_answer *a;
	char error[LAB_ERROR];

	(void)state;
	expect_holds("toy-versions", .n = 3, .passages = -1);
	expect_holds("toy-versions", .n = 2, .passages = 3,
		     .also = "no-starvation");
	q.properties = 1u << lab_property_number("no-starvation");
	c = ask(q);
	a = lab_check_answer(c);
	assert_int_equal(a->verdict, LAB_VIOLATED);
	assert_non_null(strstr(a->why, "closes"));
	for (size_t i = 0; i < a->steps; i++)
		assert_true(a->step[i].new < 100);
	again = lab_replay(a->schedule, error);
	if (!again)
		fail_msg("%s", error);
	assert_int_equal(lab_check_answer(again)->verdict, LAB_VIOLATED);
	assert_int_equal(lab_check_answer(again)->violated, q.properties);
	lab_check_end(again);
	lab_check_end(c);
}

TEST(twins_are_refused_in_unbounded_passages)
{
	(void)state;
	expect_breaks("at-most-k", "k-ticket~one-more", .n = 3, .passages = -1);
	expect_breaks("no-lost-wake", "k-ticket~no-wake", .n = 2,
		      .passages = -1);
	expect_breaks("at-most-k", "bakery~no-doorway-wait", .n = 2,
		      .passages = -1);
}

TEST(unbounded_passages_need_rules_if_words_grow)
{
	(void)state;
	expect_refused("has no rules (.counter)", "wait-free-object", .n = 2,
		       .passages = -1);
	expect_refused("--passages 2", "am-dsm-unbounded", .n = 2,
		       .passages = -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			k_ticket_starves_no_process_in_unbounded_passages),
		cmocka_unit_test(
			bakeries_starve_no_process_in_unbounded_passages),
		cmocka_unit_test(choi_starves_no_process_in_unbounded_passages),
		cmocka_unit_test(
			tree_mutex_and_reductions_starve_no_process_in_unbounded_passages),
		cmocka_unit_test(bounded_verdicts_are_the_same_with_the_rules),
		cmocka_unit_test(wrong_rules_are_refused),
		cmocka_unit_test(
			a_starving_process_is_found_although_the_version_grows),
		cmocka_unit_test(twins_are_refused_in_unbounded_passages),
		cmocka_unit_test(unbounded_passages_need_rules_if_words_grow),
	};

	return RUN(tests);
}
