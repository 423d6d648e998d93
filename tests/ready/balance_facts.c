/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * That accounts which do not balance are refused: books written by hand, for
 * each type one that is right, and the ways to be wrong.
 */
#include "atmost/resilient.h"
#include "ledger.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct book *book;

/* The next thing that somebody did. */
static void did(unsigned writer, uint64_t operation, uint64_t a, uint64_t b,
		uint64_t r, uint64_t s)
{
	const uint64_t argument[] = { a, b }, result[] = { r, s };

	book_answer(book, book_ask(book, writer, operation, argument), result);
}

static int fresh(void **state)
{
	(void)state;
	if (!book)
		book = book_open();
	book_clear(book);
	return 0;
}

static void refused(const char *why, unsigned which)
{
	const char *wrong = ledger_check(book, which);

	assert_non_null(wrong);
	assert_string_equal(why, wrong);
}

static void balanced(unsigned which)
{
	assert_null(ledger_check(book, which));
}

static void an_addition_is_there_once(void **state)
{
	(void)state;
	did(0, ATMOST_COUNTER_ADD, 5, 0, 0, 0);
	did(1, ATMOST_COUNTER_ADD, 3, 0, 5, 0);
	did(2, ATMOST_COUNTER_READ, 0, 0, 8, 0);
	balanced(COUNTER);
	did(2, ATMOST_COUNTER_READ, 0, 0, 13, 0);
	refused("the sum is another one", COUNTER);
	/* Right in the end, but two saw the same. */
	fresh(NULL);
	did(0, ATMOST_COUNTER_ADD, 5, 0, 0, 0);
	did(1, ATMOST_COUNTER_ADD, 3, 0, 0, 0);
	did(2, ATMOST_COUNTER_READ, 0, 0, 8, 0);
	refused("something came out twice", COUNTER);
}

static void a_word_that_was_there_was_put_there(void **state)
{
	(void)state;
	did(0, ATMOST_REGISTER_WRITE, 5, 0, 1, 0);
	did(1, ATMOST_REGISTER_ADD, 2, 0, 1, 5);
	did(1, ATMOST_REGISTER_COMPARE_SWAP, 7, 9, 1, 7);
	did(1, ATMOST_REGISTER_COMPARE_SWAP, 7, 11, 0, 9);
	did(2, ATMOST_REGISTER_READ, 0, 0, 1, 9);
	balanced(REGISTER);
	did(2, ATMOST_REGISTER_READ, 0, 0, 1, 11);
	refused("what came out is not what went in", REGISTER);
}

/* A value, as the writers of a party make them. */
static uint64_t value(unsigned writer, unsigned count)
{
	return (uint64_t)(writer + 1) << 32 | count;
}

static void what_is_taken_was_put_and_is_taken_once(void **state)
{
	(void)state;
	for (unsigned which = QUEUE; which <= STACK; which++) {
		fresh(NULL);
		did(0, ATMOST_QUEUE_PUT, value(0, 1), 0, 1, value(0, 1));
		did(0, ATMOST_QUEUE_PUT, value(0, 2), 0, 0, 0);
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
		balanced(which);
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
		refused("something came out twice", which);
		fresh(NULL);
		did(0, ATMOST_QUEUE_PUT, value(0, 1), 0, 1, value(0, 1));
		refused("something was lost", which);
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
		did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 2));
		refused("something came from nowhere", which);
	}
}

static void the_order_of_a_producer_is_kept_in_a_queue_only(void **state)
{
	(void)state;
	did(0, ATMOST_QUEUE_PUT, value(0, 1), 0, 1, value(0, 1));
	did(0, ATMOST_QUEUE_PUT, value(0, 2), 0, 1, value(0, 2));
	did(2, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 2));
	did(3, ATMOST_QUEUE_TAKE, 0, 0, 1, value(0, 1));
	balanced(STACK);
	refused("a later value was taken first", QUEUE);
}

static void what_a_map_had_was_replaced_or_removed(void **state)
{
	(void)state;
	did(0, ATMOST_MAP_PUT, 1, 10, 1, 0);
	did(1, ATMOST_MAP_PUT, 1, 11, 1, 10);
	did(1, ATMOST_MAP_ADD, 1, 12, 0, 11);
	did(2, ATMOST_MAP_ADD, 2, 13, 1, 13);
	did(3, ATMOST_MAP_REMOVE, 1, 0, 1, 11);
	refused("something was lost", MAP);
	did(3, ATMOST_MAP_REMOVE, 2, 0, 1, 13);
	balanced(MAP);
	did(3, ATMOST_MAP_REMOVE, 2, 0, 1, 13);
	refused("something came out twice", MAP);
}

/* Only what has an end counts. */
static void what_never_happened_is_not_in_the_accounts(void **state)
{
	const uint64_t five[] = { 5, 0 }, before[] = { 0, 0 };
	struct entry *e = book_ask(book, 0, ATMOST_COUNTER_ADD, five);

	(void)state;
	assert_ptr_equal(e, book_unfinished(book, 0));
	e->never = true;
	assert_null(book_unfinished(book, 0));
	did(2, ATMOST_COUNTER_READ, 0, 0, 0, 0);
	balanced(COUNTER);
	e->never = false;
	book_answer(book, e, before);
	did(2, ATMOST_COUNTER_READ, 0, 0, 0, 0);
	refused("the sum is another one", COUNTER);
}

#define FRESH(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(an_addition_is_there_once),
		FRESH(a_word_that_was_there_was_put_there),
		FRESH(what_is_taken_was_put_and_is_taken_once),
		FRESH(the_order_of_a_producer_is_kept_in_a_queue_only),
		FRESH(what_a_map_had_was_replaced_or_removed),
		FRESH(what_never_happened_is_not_in_the_accounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
