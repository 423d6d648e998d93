/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that the checker of histories accepts linearizable histories and
 * refuses others.
 */
#include "atmost/resilient.h"
#include "common/prng.h"
#include "linear.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

/* DID stands for an operation with its result, MAY for an operation that has no
 * result and may have happened. */
#define DID(from, to, what, a, b, r, s)         \
	{                                       \
		from, to, true, what, { a, b }, \
		{                               \
			r, s                    \
		}                               \
	}
#define MAY(from, to, what, a, b)                \
	{                                        \
		from, to, false, what, { a, b }, \
		{                                \
			0                        \
		}                                \
	}

#define expect(verdict, which, ...)                                      \
	expect_verdict(verdict, which,                                   \
		       (const struct linear_operation[]){ __VA_ARGS__ }, \
		       sizeof((const struct linear_operation[]){         \
			       __VA_ARGS__ }) /                          \
			       sizeof(struct linear_operation))

static void expect_verdict(enum linear_verdict verdict, unsigned which,
			   const struct linear_operation *history, size_t count)
{
	struct linear_report report = linear_check(&models[which], 4, history,
						   count);

	if (report.verdict == NOT_LINEARIZABLE && verdict == LINEARIZABLE)
		linear_print(&models[which], history, count, report.culprit);
	assert_int_equal(verdict, report.verdict);
}

static void a_counter_that_loses_an_addition_is_refused(void **state)
{
	(void)state;
	expect(LINEARIZABLE, COUNTER, DID(1, 4, ATMOST_COUNTER_ADD, 1, 0, 1, 0),
	       DID(2, 3, ATMOST_COUNTER_ADD, 1, 0, 0, 0),
	       DID(5, 6, ATMOST_COUNTER_READ, 0, 0, 2, 0));
	/* Both additions saw the initial state. */
	expect(NOT_LINEARIZABLE, COUNTER,
	       DID(1, 4, ATMOST_COUNTER_ADD, 1, 0, 0, 0),
	       DID(2, 3, ATMOST_COUNTER_ADD, 1, 0, 0, 0));
	/* One read sees the addition, and a later read does not. */
	expect(NOT_LINEARIZABLE, COUNTER,
	       DID(1, 6, ATMOST_COUNTER_ADD, 1, 0, 0, 0),
	       DID(2, 3, ATMOST_COUNTER_READ, 0, 0, 1, 0),
	       DID(4, 5, ATMOST_COUNTER_READ, 0, 0, 0, 0));
	/* The counter was incremented twice. */
	expect(NOT_LINEARIZABLE, COUNTER,
	       DID(1, 2, ATMOST_COUNTER_ADD, 1, 0, 0, 0),
	       DID(3, 4, ATMOST_COUNTER_READ, 0, 0, 2, 0));
}

static void a_register_that_returns_an_old_value_is_refused(void **state)
{
	(void)state;
	expect(LINEARIZABLE, REGISTER,
	       DID(1, 6, ATMOST_REGISTER_WRITE, 7, 0, 1, 0),
	       DID(2, 3, ATMOST_REGISTER_READ, 0, 0, 1, 0),
	       DID(4, 5, ATMOST_REGISTER_READ, 0, 0, 1, 7));
	expect(NOT_LINEARIZABLE, REGISTER,
	       DID(1, 2, ATMOST_REGISTER_WRITE, 7, 0, 1, 0),
	       DID(3, 4, ATMOST_REGISTER_READ, 0, 0, 1, 0));
	/* Only one of the two operations can find the value that it expects. */
	expect(NOT_LINEARIZABLE, REGISTER,
	       DID(1, 4, ATMOST_REGISTER_COMPARE_SWAP, 0, 5, 1, 0),
	       DID(2, 3, ATMOST_REGISTER_COMPARE_SWAP, 0, 6, 1, 0));
	expect(LINEARIZABLE, REGISTER,
	       DID(1, 4, ATMOST_REGISTER_COMPARE_SWAP, 0, 5, 0, 6),
	       DID(2, 3, ATMOST_REGISTER_COMPARE_SWAP, 0, 6, 1, 0));
}

static void a_queue_that_reorders_or_repeats_values_is_refused(void **state)
{
	(void)state;
	/* Overlapping puts may happen in either order. */
	expect(LINEARIZABLE, QUEUE, DID(1, 4, ATMOST_QUEUE_PUT, 8, 0, 1, 8),
	       DID(2, 3, ATMOST_QUEUE_PUT, 9, 0, 1, 9),
	       DID(5, 6, ATMOST_QUEUE_TAKE, 0, 0, 1, 9),
	       DID(7, 8, ATMOST_QUEUE_TAKE, 0, 0, 1, 8));
	expect(NOT_LINEARIZABLE, QUEUE, DID(1, 2, ATMOST_QUEUE_PUT, 8, 0, 1, 8),
	       DID(3, 4, ATMOST_QUEUE_PUT, 9, 0, 1, 9),
	       DID(5, 6, ATMOST_QUEUE_TAKE, 0, 0, 1, 9));
	/* A value was taken twice. */
	expect(NOT_LINEARIZABLE, QUEUE, DID(1, 2, ATMOST_QUEUE_PUT, 8, 0, 1, 8),
	       DID(3, 6, ATMOST_QUEUE_TAKE, 0, 0, 1, 8),
	       DID(4, 5, ATMOST_QUEUE_TAKE, 0, 0, 1, 8));
	/* A value was lost. */
	expect(NOT_LINEARIZABLE, QUEUE, DID(1, 2, ATMOST_QUEUE_PUT, 8, 0, 1, 8),
	       DID(3, 4, ATMOST_QUEUE_TAKE, 0, 0, 0, 0));
	/* Five values went into a queue of four. */
	expect(NOT_LINEARIZABLE, QUEUE,
	       DID(1, 10, ATMOST_QUEUE_PUT, 1, 0, 1, 1),
	       DID(2, 9, ATMOST_QUEUE_PUT, 2, 0, 1, 2),
	       DID(3, 8, ATMOST_QUEUE_PUT, 3, 0, 1, 3),
	       DID(4, 7, ATMOST_QUEUE_PUT, 4, 0, 1, 4),
	       DID(5, 6, ATMOST_QUEUE_PUT, 5, 0, 1, 5));
}

static void a_stack_that_is_a_queue_is_refused(void **state)
{
	(void)state;
	expect(LINEARIZABLE, STACK, DID(1, 2, ATMOST_STACK_PUSH, 8, 0, 1, 8),
	       DID(3, 4, ATMOST_STACK_PUSH, 9, 0, 1, 9),
	       DID(5, 6, ATMOST_STACK_POP, 0, 0, 1, 9));
	expect(NOT_LINEARIZABLE, STACK,
	       DID(1, 2, ATMOST_STACK_PUSH, 8, 0, 1, 8),
	       DID(3, 4, ATMOST_STACK_PUSH, 9, 0, 1, 9),
	       DID(5, 6, ATMOST_STACK_POP, 0, 0, 1, 8));
	/* The stack never had this depth. */
	expect(NOT_LINEARIZABLE, STACK,
	       DID(1, 4, ATMOST_STACK_PUSH, 8, 0, 1, 8),
	       DID(2, 3, ATMOST_STACK_DEPTH, 0, 0, 1, 2));
}

static void a_map_that_has_a_key_twice_is_refused(void **state)
{
	(void)state;
	expect(LINEARIZABLE, MAP, DID(1, 4, ATMOST_MAP_ADD, 5, 50, 1, 50),
	       DID(2, 3, ATMOST_MAP_ADD, 5, 51, 0, 50),
	       DID(5, 6, ATMOST_MAP_REMOVE, 5, 0, 1, 50));
	expect(NOT_LINEARIZABLE, MAP, DID(1, 4, ATMOST_MAP_ADD, 5, 50, 1, 50),
	       DID(2, 3, ATMOST_MAP_ADD, 5, 51, 1, 51));
	/* The map returned the value of another key. */
	expect(NOT_LINEARIZABLE, MAP, DID(1, 2, ATMOST_MAP_PUT, 5, 50, 1, 0),
	       DID(3, 4, ATMOST_MAP_PUT, 6, 60, 1, 0),
	       DID(5, 6, ATMOST_MAP_GET, 5, 0, 1, 60));
	expect(NOT_LINEARIZABLE, MAP, DID(1, 2, ATMOST_MAP_PUT, 5, 50, 1, 0),
	       DID(3, 6, ATMOST_MAP_REMOVE, 5, 0, 1, 50),
	       DID(4, 5, ATMOST_MAP_REMOVE, 5, 0, 1, 50));
}

static void an_operation_of_a_killed_caller_happens_once_or_never(void **state)
{
	(void)state;
	expect(LINEARIZABLE, COUNTER,
	       MAY(1, LINEAR_NEVER, ATMOST_COUNTER_ADD, 1, 0),
	       DID(2, 3, ATMOST_COUNTER_READ, 0, 0, 0, 0),
	       DID(4, 5, ATMOST_COUNTER_READ, 0, 0, 1, 0));
	expect(NOT_LINEARIZABLE, COUNTER,
	       MAY(1, LINEAR_NEVER, ATMOST_COUNTER_ADD, 1, 0),
	       DID(2, 3, ATMOST_COUNTER_READ, 0, 0, 2, 0));
	expect(NOT_LINEARIZABLE, COUNTER,
	       MAY(1, LINEAR_NEVER, ATMOST_COUNTER_ADD, 1, 0),
	       DID(2, 3, ATMOST_COUNTER_READ, 0, 0, 1, 0),
	       DID(4, 5, ATMOST_COUNTER_READ, 0, 0, 0, 0));
	/* An operation happens neither before its invocation nor after its
	 * end. */
	expect(NOT_LINEARIZABLE, COUNTER,
	       DID(1, 2, ATMOST_COUNTER_READ, 0, 0, 1, 0),
	       MAY(3, LINEAR_NEVER, ATMOST_COUNTER_ADD, 1, 0));
	expect(NOT_LINEARIZABLE, COUNTER, MAY(1, 4, ATMOST_COUNTER_ADD, 1, 0),
	       DID(5, 6, ATMOST_COUNTER_READ, 0, 0, 0, 0),
	       DID(7, 8, ATMOST_COUNTER_READ, 0, 0, 1, 0));
	expect(LINEARIZABLE, COUNTER, MAY(1, 4, ATMOST_COUNTER_ADD, 1, 0),
	       DID(5, 6, ATMOST_COUNTER_READ, 0, 0, 1, 0));
}

static void a_history_too_large_to_search_is_not_accepted(void **state)
{
	struct linear_operation history[66] = { 0 };

	(void)state;
	for (unsigned i = 0; i < 66; i++) {
		history[i].invoked = i;
		history[i].ended = LINEAR_NEVER;
		history[i].operation = ATMOST_COUNTER_ADD;
		history[i].argument[0] = UINT64_C(1) << i % 64;
	}
	expect_verdict(LINEARIZABLE, COUNTER, history, 64);
	expect_verdict(TOO_LARGE, COUNTER, history, 65);
	/* The counter may have any of 2^40 sums. */
	history[40].ended = 1000;
	history[40].returned = true;
	history[40].operation = ATMOST_COUNTER_READ;
	history[40].result[0] = UINT64_MAX;
	expect_verdict(TOO_LARGE, COUNTER, history, 41);
}

/*
 * This is the plain definition of linearizability: returns true if, after the
 * operations in `done`, the other operations can happen in an order that
 * explains their results.
 */
static bool explained(const struct model *model, const uint64_t *state,
		      const struct linear_operation *h, unsigned count,
		      unsigned done)
{
	bool all = true;

	for (unsigned i = 0; i < count; i++) {
		uint64_t after[16], result[MODEL_WORDS] = { 0 };
		bool first = !(done >> i & 1);

		all = all && (done >> i & 1 || !h[i].returned);
		for (unsigned j = 0; j < count; j++)
			first = first && (done >> j & 1 || !h[j].returned ||
					  h[j].ended > h[i].invoked);
		/* An operation that ended without a result cannot happen after
		 * an operation that was invoked after this end. */
		for (unsigned j = 0; j < count; j++)
			first = first &&
				!(done >> j & 1 && h[j].invoked > h[i].ended);
		if (!first)
			continue;
		memcpy(after, state, model->words(4) * sizeof *after);
		model->apply(after, 4, h[i].operation, h[i].argument, result);
		if (h[i].returned &&
		    memcmp(result, h[i].result, model->results * 8) != 0)
			continue;
		if (explained(model, after, h, count, done | 1U << i))
			return true;
	}
	return all;
}

/* Invents random operations of three processes.  Some of the results are
 * random, too; the others come from the model. */
static unsigned invent(struct linear_operation *h, unsigned which,
		       uint64_t *random)
{
	uint64_t busy[3] = { 0 }, clock = 0, state[16] = { 0 };
	const unsigned count = 2 + prng_below(random, 5);

	for (unsigned i = 0; i < count; i++) {
		uint64_t *mine = &busy[prng_below(random, 3)];
		uint64_t result[MODEL_WORDS] = { 0 };

		clock += 10;
		h[i] = (struct linear_operation){
			.invoked = (*mine > clock ? *mine : clock) + i,
			.returned = prng_below(random, 6) > 0,
			.operation = 1 + prng_below(random,
						    models[which].operations),
			.argument = { prng_below(random, 2),
				      prng_below(random, 2) },
		};
		h[i].ended = h[i].invoked + 1 + 10 * prng_below(random, 5) + 5;
		*mine = h[i].ended + 1;
		if (!h[i].returned && prng_below(random, 2))
			h[i].ended = LINEAR_NEVER;
		models[which].apply(state, 4, h[i].operation, h[i].argument,
				    result);
		if (prng_below(random, 4) == 0)
			result[models[which].results - 1] = prng_below(random,
								       3);
		memcpy(h[i].result, result, sizeof result);
	}
	return count;
}

/* All stamps of a history must be different. */
static bool distinct(const struct linear_operation *h, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < count; j++)
			if (h[i].invoked == h[j].ended ||
			    (i != j && (h[i].invoked == h[j].invoked ||
					(h[i].ended == h[j].ended &&
					 h[i].ended != LINEAR_NEVER))))
				return false;
	return true;
}

static void the_checker_agrees_with_the_definition(void **state)
{
	unsigned good = 0, bad = 0;
	uint64_t random = seed;

	(void)state;
	while (good < 10000 || bad < 10000) {
		const unsigned which = prng_below(&random, MODELS);
		const uint64_t empty[16] = { 0 };
		struct linear_operation h[8];
		unsigned count = invent(h, which, &random);
		bool so;

		if (!distinct(h, count))
			continue;
		so = explained(&models[which], empty, h, count, 0);
		so ? good++ : bad++;
		expect_verdict(so ? LINEARIZABLE : NOT_LINEARIZABLE, which, h,
			       count);
	}
	print_message("%u linearizable, %u not\n", good, bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_that_loses_an_addition_is_refused),
		cmocka_unit_test(
			a_register_that_returns_an_old_value_is_refused),
		cmocka_unit_test(
			a_queue_that_reorders_or_repeats_values_is_refused),
		cmocka_unit_test(a_stack_that_is_a_queue_is_refused),
		cmocka_unit_test(a_map_that_has_a_key_twice_is_refused),
		cmocka_unit_test(
			an_operation_of_a_killed_caller_happens_once_or_never),
		cmocka_unit_test(a_history_too_large_to_search_is_not_accepted),
		cmocka_unit_test(the_checker_agrees_with_the_definition),
	};

	seed = prng_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
