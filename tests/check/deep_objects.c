/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks objects on instances that are too large for `make test`. */
#include "check.h"

static const char searched[] = "linearizable,invariant,bounded-apply";

TEST(wait_free_object_keeps_its_promises_with_deaths_and_up_to_three_operations)
{
	(void)state;
	expect_holds("wait-free-object", .n = 2, .passages = 3, .deaths = 1);
	expect_holds("wait-free-object", .n = 2, .passages = 3, .deaths = 2,
		     .only = "linearizable,invariant");
	expect_holds("toy-object-withdrawn", .n = 2, .passages = 2,
		     .deaths = 2);
}

TEST(wait_free_object_keeps_its_promises_with_three_processes)
{
	(void)state;
	expect_holds("wait-free-object", .n = 3, .each = { 2, 1, 1 });
	expect_holds("wait-free-object", .n = 3, .deaths = 1);
	expect_holds("wait-free-object", .n = 3, .deaths = 2,
		     .only = "linearizable,invariant");
	expect_breaks("bounded-apply", "wait-free-object~short-apply", .n = 3,
		      .each = { 2, 1, 1 }, .only = "bounded-apply");
}

TEST(a_register_and_a_queue_hold_with_three_operations_or_processes)
{
	(void)state;
	expect_holds("toy-object-register", .n = 2, .passages = 3);
	expect_holds("toy-object-queue", .n = 2, .passages = 3);
	expect_holds("toy-object-register", .n = 3);
	expect_holds("toy-object-queue", .n = 3);
}

TEST(a_queue_keeps_its_promises_with_a_death)
{
	(void)state;
	expect_holds("toy-object-queue", .n = 2, .passages = 2, .deaths = 1);
}

TEST(resilient_object_keeps_its_promises_with_three_processes_and_two_names)
{
	(void)state;
	expect_holds("resilient-object/renaming/k-ticket", .n = 3, .k = 2,
		     .passages = 2, .only = searched);
	expect_holds("resilient-object", .n = 3, .k = 2);
	expect_no_violation("resilient-object", .n = 3, .k = 2, .deaths = 1,
			    .only = searched, .seconds = 1800);
}

TEST(resilient_object_keeps_its_promises_with_dying_recoverers)
{
	(void)state;
	expect_holds("resilient-object", .n = 2, .k = 1, .deaths = 2,
		     .only = searched);
	expect_holds("resilient-object", .n = 2, .k = 2, .deaths = 2,
		     .only = searched);
	expect_no_violation("resilient-object", .n = 2, .k = 2, .passages = 2,
			    .deaths = 2, .only = searched, .seconds = 1800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			wait_free_object_keeps_its_promises_with_deaths_and_up_to_three_operations),
		cmocka_unit_test(
			wait_free_object_keeps_its_promises_with_three_processes),
		cmocka_unit_test(
			a_register_and_a_queue_hold_with_three_operations_or_processes),
		cmocka_unit_test(a_queue_keeps_its_promises_with_a_death),
		cmocka_unit_test(
			resilient_object_keeps_its_promises_with_three_processes_and_two_names),
		cmocka_unit_test(
			resilient_object_keeps_its_promises_with_dying_recoverers),
	};

	return RUN(tests);
}
