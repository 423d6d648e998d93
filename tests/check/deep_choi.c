/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks Choi's algorithm on instances that are too large for `make test`. */
#include "check.h"

TEST(choi_keeps_its_promises_with_more_passages)
{
	(void)state;
	expect_holds("choi", .n = 3, .k = 1, .passages = 10);
	expect_holds("choi", .n = 3, .k = 2, .passages = 5);
	expect_holds("choi", .n = 3, .k = 3, .passages = 4);
	expect_holds("choi", .n = 4, .k = 2, .each = { 2, 2, 1, 1 });
	expect_holds("choi", .n = 4, .k = 3, .each = { 2, 2, 1, 1 });
	expect_holds("choi", .n = 4, .k = 2, .passages = 2,
		     .only = "at-most-k,no-starvation,invariant");
}

TEST(choi_keeps_its_promises_in_unbounded_passages)
{
	(void)state;
	expect_holds("choi", .n = 3, .k = 2, .passages = -1);
	expect_holds("choi-plain", .n = 3, .k = 1, .passages = -1);
}

TEST(choi_keeps_its_promises_with_five_processes)
{
	(void)state;
	expect_holds("choi", .n = 5, .k = 2);
	expect_holds("choi", .n = 5, .k = 4,
		     .only = "at-most-k,no-starvation,invariant");
	expect_holds("choi-plain", .n = 5, .k = 3,
		     .only = "at-most-k,no-starvation,invariant");
}

TEST(choi_needs_its_guard_and_reads_the_word_before_exit)
{
	(void)state;
	expect_breaks("no-starvation", "choi~no-guard", .n = 3, .k = 3,
		      .each = { 12, 2, 3 }, .only = "no-starvation");
	expect_breaks("no-starvation", "choi~exit-first", .n = 3, .k = 3,
		      .each = { 12, 2, 3 }, .only = "no-starvation");
}

/* The instance of choi-guard-2k.trace has more states than a search visits in
 * an hour. */
TEST(choi_shows_no_violation_where_four_processes_break_the_printed_guard)
{
	(void)state;
	expect_no_violation("choi", .n = 4, .k = 3, .each = { 7, 2, 4, 4 },
			    .only = "no-starvation", .seconds = 3600,
			    .gigabytes = 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choi_keeps_its_promises_with_more_passages),
		cmocka_unit_test(choi_keeps_its_promises_in_unbounded_passages),
		cmocka_unit_test(choi_keeps_its_promises_with_five_processes),
		cmocka_unit_test(
			choi_needs_its_guard_and_reads_the_word_before_exit),
		cmocka_unit_test(
			choi_shows_no_violation_where_four_processes_break_the_printed_guard),
	};

	return RUN(tests);
}
