/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the hash of a history.  A search uses only one argument for each
 * process, so it cannot show that the hash includes the arguments. */
#include "checker/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The first operation has the same effect whatever the operation and the
 * argument are; the effect of later operations depends on both. */
static uint64_t specification(uint64_t *state, uint64_t operation,
			      uint64_t argument)
{
	uint64_t before = *state;

	*state = before == 0 ? 1 : before + 10 * operation + argument;
	return before;
}

static const struct algorithm object = {
	.object = { .specification = specification, .operations = 2 },
};

static struct history *with_operation(unsigned process, uint64_t operation,
				      uint64_t argument)
{
	struct history *h = history_open(&object);

	assert_non_null(h);
	history_reset(h);
	history_invoke(h, process, operation, argument);
	return h;
}

static void differ(struct history *a, struct history *b)
{
	assert_int_not_equal(history_hash(a), history_hash(b));
	assert_int_not_equal(history_second_hash(a), history_second_hash(b));
	history_close(a);
	history_close(b);
}

static void agree(struct history *a, struct history *b)
{
	assert_int_equal(history_hash(a), history_hash(b));
	assert_int_equal(history_second_hash(a), history_second_hash(b));
	history_close(a);
	history_close(b);
}

static void histories_with_different_operations_differ(void **state)
{
	(void)state;
	agree(with_operation(0, 1, 5), with_operation(0, 1, 5));
	differ(with_operation(0, 0, 5), with_operation(0, 1, 5));
	differ(with_operation(0, 1, 5), with_operation(0, 1, 6));
	differ(with_operation(0, 1, 5), with_operation(1, 1, 5));
	differ(with_operation(0, 0, 0), with_operation(1, 0, 0));
}

/* The order in which explanations were found does not matter. */
static void equal_histories_agree_whichever_operation_began_first(void **state)
{
	struct history *a = with_operation(0, 1, 5);
	struct history *b = with_operation(1, 0, 7);

	(void)state;
	history_invoke(a, 1, 0, 7);
	history_invoke(b, 0, 1, 5);
	agree(a, b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histories_with_different_operations_differ),
		cmocka_unit_test(
			equal_histories_agree_whichever_operation_began_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
