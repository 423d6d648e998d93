/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the balance refuses wrong journals.  For each type the tests use a
 * correct journal, written by hand, and change it in each way in which a
 * journal can be wrong.
 */
#include "atmost/resilient.h"
#include "balance.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct journal *journal;

/* Adds an operation of this writer to the journal. */
static void did(unsigned writer, uint64_t operation, uint64_t a, uint64_t b,
		uint64_t r, uint64_t s)
{
	const uint64_t argument[] = { a, b }, result[] = { r, s };

	journal_respond(journal,
			journal_invoke(journal, writer, operation, argument),
			result);
}

static int fresh(void **state)
{
	(void)state;
	if (!journal)
		journal = journal_open();
	journal_clear(journal);
	return 0;
}

static void refused(const char *why, unsigned which)
{
	const char *wrong = balance_check(journal, which);

	assert_non_null(wrong);
	assert_string_equal(why, wrong);
}

static void balanced(unsigned which)
{
	assert_null(balance_check(journal, which));
}

static void each_addition_happens_once(void **state)
{
	(void)state;
	did(0, ATMOST_COUNTER_ADD, 5, 0, 0, 0);
	did(1, ATMOST_COUNTER_ADD, 3, 0, 5, 0);
	did(2, ATMOST_COUNTER_READ, 0, 0, 8, 0);
	balanced(COUNTER);
	did(2, ATMOST_COUNTER_READ, 0, 0, 13, 0);
	refused("the sum is wrong", COUNTER);
	/* The sum is right, but two additions saw the same number. */
	fresh(NULL);
	did(0, ATMOST_COUNTER_ADD, 5, 0, 0, 0);
	did(1, ATMOST_COUNTER_ADD, 3, 0, 0, 0);
	did(2, ATMOST_COUNTER_READ, 0, 0, 8, 0);
	refused("a value came out twice", COUNTER);
}

static void a_value_of_a_register_was_stored_before(void **state)
{
	(void)state;
	did(0, ATMOST_REGISTER_WRITE, 5, 0, 1, 0);
	did(1, ATMOST_REGISTER_ADD, 2, 0, 1, 5);
	did(1, ATMOST_REGISTER_COMPARE_SWAP, 7, 9, 1, 7);
	did(1, ATMOST_REGISTER_COMPARE_SWAP, 7, 11, 0, 9);
	did(2, ATMOST_REGISTER_READ, 0, 0, 1, 9);
	balanced(REGISTER);
	did(2, ATMOST_REGISTER_READ, 0, 0, 1, 11);
	refused("the values that came out are not those that went in",
		REGISTER);
}

/* Returns a unique value, made as the workers make it. */
static uint64_t value(unsigned writer, unsigned count)
{
	return (uint64_t)(writer + 1) << 32 | count;
}

static void a_value_is_put_before_it_is_taken_and_taken_once(void **state)
{
	(void)state;
	for (unsigned which = QUEUE; which <= STACK; which++) {
		fresh(NULL);
		did(0, ATMOST_QUEUE_PUT, value(0, 1), 0, 1, value(0, 1));
		did(0, ATMOST_QUEUE_PUT, value(0, 2), 0, 0, 0);
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
		balanced(which);
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
		refused("a value came out twice", which);
		fresh(NULL);
		did(0, ATMOST_QUEUE_PUT, value(0, 1), 0, 1, value(0, 1));
		refused("a value was lost", which);
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 2));
		refused("a value came out that never went in", which);
	}
}

static void only_a_queue_keeps_the_order_of_a_producer(void **state)
{
	(void)state;
	did(0, ATMOST_QUEUE_PUT, value(0, 1), 0, 1, value(0, 1));
	did(0, ATMOST_QUEUE_PUT, value(0, 2), 0, 1, value(0, 2));
	did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 2));
	did(3, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
	balanced(STACK);
	refused("a later value was taken first", QUEUE);
}

static void every_value_of_a_map_is_replaced_or_removed(void **state)
{
	(void)state;
	did(0, ATMOST_MAP_PUT, 1, 10, 1, 0);
	did(1, ATMOST_MAP_PUT, 1, 11, 1, 10);
	did(1, ATMOST_MAP_ADD, 1, 12, 0, 11);
	did(2, ATMOST_MAP_ADD, 2, 13, 1, 13);
	did(3, ATMOST_MAP_REMOVE, 1, 0, 1, 11);
	refused("a value was lost", MAP);
	did(3, ATMOST_MAP_REMOVE, 2, 0, 1, 13);
	balanced(MAP);
	did(3, ATMOST_MAP_REMOVE, 2, 0, 1, 13);
	refused("a value came out twice", MAP);
}

/* Only operations with an end count. */
static void an_operation_that_never_happened_does_not_count(void **state)
{
	const uint64_t five[] = { 5, 0 }, before[] = { 0, 0 };
	struct entry *e = journal_invoke(journal, 0, ATMOST_COUNTER_ADD, five);

	(void)state;
	assert_ptr_equal(e, journal_unfinished(journal, 0));
	e->never = true;
	assert_null(journal_unfinished(journal, 0));
	did(2, ATMOST_COUNTER_READ, 0, 0, 0, 0);
	balanced(COUNTER);
	e->never = false;
	journal_respond(journal, e, before);
	did(2, ATMOST_COUNTER_READ, 0, 0, 0, 0);
	refused("the sum is wrong", COUNTER);
}

#define FRESH(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(each_addition_happens_once),
		FRESH(a_value_of_a_register_was_stored_before),
		FRESH(a_value_is_put_before_it_is_taken_and_taken_once),
		FRESH(only_a_queue_keeps_the_order_of_a_producer),
		FRESH(every_value_of_a_map_is_replaced_or_removed),
		FRESH(an_operation_that_never_happened_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
