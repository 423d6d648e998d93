/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the functions of the ready-made types: each does what its model does,
 * and stays within its state even if the state is damaged.
 */
#include "atmost/resilient.h"
#include "common/prng.h"
#include "linear/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const unsigned capacities[] = { 1, 2, 3, 7, 64 };
enum { CAPACITIES = sizeof capacities / sizeof *capacities };

static uint64_t seed;

static struct atmost_object_type type_of(unsigned which, unsigned capacity)
{
	switch (which) {
	case COUNTER:
		return atmost_counter_type();
	case REGISTER:
		return atmost_register_type();
	case QUEUE:
		return atmost_queue_type(capacity);
	case STACK:
		return atmost_stack_type(capacity);
	default:
		return atmost_map_type(capacity);
	}
}

/* Usually returns one of 80 small values, so that keys, and the expected values
 * of compare-and-swaps, are often equal.  Sometimes returns 0, the largest
 * value or a random value. */
static uint64_t any_value(uint64_t *random)
{
	switch (prng_below(random, 8)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return prng_next(random);
	default:
		return prng_below(random, 80);
	}
}

static void compare(unsigned which, unsigned capacity, uint64_t random)
{
	const struct atmost_object_type type = type_of(which, capacity);
	const struct model *model = &models[which];
	uint64_t *state = calloc(1, type.size);
	uint64_t *simple = calloc(model->words(capacity), sizeof *simple);

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t operation = 1 + prng_below(&random, model->operations);
		uint64_t argument[MODEL_WORDS] = { any_value(&random),
						   any_value(&random) };
		uint64_t result[MODEL_WORDS] = { 0 }, want[MODEL_WORDS] = { 0 };

		type.apply(state, type.size, operation, argument, result);
		model->apply(simple, capacity, operation, argument, want);
		if (memcmp(result, want, sizeof want) != 0)
			fail_msg("%s of %u, step %u, %s %ju %ju: %ju %ju, "
				 "not %ju %ju",
				 model->name, capacity, i,
				 model->operation[operation],
				 (uintmax_t)argument[0], (uintmax_t)argument[1],
				 (uintmax_t)result[0], (uintmax_t)result[1],
				 (uintmax_t)want[0], (uintmax_t)want[1]);
	}
	free(simple);
	free(state);
}

static void each_type_does_what_its_model_does(void **unused)
{
	(void)unused;
	for (unsigned which = 0; which < MODELS; which++)
		for (unsigned i = 0; i < CAPACITIES; i++)
			compare(which, capacities[i], seed + which);
}

static void a_type_declares_the_arguments_and_results_of_its_function(
	void **unused)
{
	(void)unused;
	for (unsigned which = 0; which < MODELS; which++) {
		const struct atmost_object_type type = type_of(which, 4);

		assert_string_equal(models[which].name, type.name);
		assert_int_equal(models[which].operations, type.operations);
		assert_int_equal(models[which].results, type.results);
		assert_int_equal(which == REGISTER || which == MAP ? 2 : 1,
				 type.arguments);
		assert_null(type.initial);
	}
}

/* Fills the state with random words, with likely values, or with small numbers
 * and one random word. */
static void fill(uint64_t *state, size_t words, uint64_t *random)
{
	const unsigned how = prng_below(random, 3);

	for (size_t i = 0; i < words; i++)
		state[i] = how == 0   ? prng_next(random)
			   : how == 1 ? any_value(random)
				      : prng_below(random, 4);
	if (how == 2 && words)
		state[prng_below(random, (unsigned)words)] = prng_next(random);
}

/* The memory of the state has exactly its size, so that the sanitizer notices
 * an access beyond the state. */
static void damage(const struct atmost_object_type *type, size_t size,
		   uint64_t *random)
{
	uint64_t *state = malloc(size ? size : 1);
	uint64_t *copy = malloc(size ? size : 1);
	uint64_t *argument = malloc(type->arguments * sizeof *argument);
	uint64_t *result = malloc(type->results * sizeof *result);
	uint64_t *again = malloc(type->results * sizeof *again);

	fill(state, size / sizeof *state, random);
	memset((char *)state + size / 8 * 8, 0x5a, size % 8);
	for (unsigned i = 0; i < 20; i++) {
		/* The library would refuse some of these operations. */
		uint64_t operation = prng_below(random, type->operations + 3);

		for (unsigned j = 0; j < type->arguments; j++)
			argument[j] = any_value(random);
		memset(result, 0x33, type->results * sizeof *result);
		memset(again, 0x44, type->results * sizeof *again);
		memcpy(copy, state, size);
		type->apply(state, size, operation, argument, result);
		type->apply(copy, size, operation, argument, again);
		assert_memory_equal(state, copy, size);
		assert_memory_equal(result, again,
				    type->results * sizeof *result);
	}
	free(again);
	free(result);
	free(argument);
	free(copy);
	free(state);
}

static void the_same_damaged_state_gives_the_same_result_each_time(
	void **unused)
{
	uint64_t random = seed;

	(void)unused;
	for (unsigned which = 0; which < MODELS; which++)
		for (unsigned i = 0; i < 5000; i++) {
			const struct atmost_object_type type =
				type_of(which, capacities[i % CAPACITIES]);

			damage(&type, type.size, &random);
			damage(&type, prng_below(&random, 64), &random);
		}
}

/* Takes all values out of the state and returns their number. */
static unsigned drain(const struct atmost_object_type *type, uint64_t *state,
		      uint64_t operation)
{
	uint64_t argument[MODEL_WORDS] = { 0 }, result[MODEL_WORDS];
	unsigned count = 0;

	for (;;) {
		type->apply(state, type->size, operation, argument, result);
		if (!result[0])
			return count;
		assert_in_range(++count, 1, 1000);
	}
}

static void a_damaged_queue_or_stack_holds_as_many_values_as_it_says(
	void **unused)
{
	uint64_t random = seed;

	(void)unused;
	for (unsigned i = 0; i < 20000; i++) {
		const unsigned which = i % 2 ? QUEUE : STACK;
		const unsigned capacity = capacities[i % CAPACITIES];
		const struct atmost_object_type type = type_of(which, capacity);
		uint64_t *state = malloc(type.size);
		uint64_t argument[MODEL_WORDS] = { 0 }, result[MODEL_WORDS];

		fill(state, type.size / sizeof *state, &random);
		type.apply(state, type.size, models[which].operations, argument,
			   result);
		assert_int_equal(1, result[0]);
		assert_in_range(result[1], 0, capacity);
		assert_int_equal(result[1],
				 drain(&type, state,
				       which == QUEUE ? ATMOST_QUEUE_TAKE
						      : ATMOST_STACK_POP));
		free(state);
	}
}

static void an_impossible_capacity_gives_an_impossible_size(void **unused)
{
	const unsigned large[] = { ATMOST_OBJECT_STATE / 8,
				   ATMOST_OBJECT_STATE,
				   1U << 28,
				   1U << 29,
				   1U << 31,
				   UINT32_MAX };
	(void)unused;
	for (unsigned which = QUEUE; which <= MAP; which++) {
		assert_int_equal(0, type_of(which, 0).size);
		for (size_t i = 0; i < sizeof large / sizeof *large; i++)
			assert_true(type_of(which, large[i]).size >
				    ATMOST_OBJECT_STATE);
	}
	assert_int_equal(ATMOST_OBJECT_STATE,
			 type_of(QUEUE, ATMOST_OBJECT_STATE / 8 - 2).size);
	assert_int_equal(ATMOST_OBJECT_STATE,
			 type_of(STACK, ATMOST_OBJECT_STATE / 8 - 1).size);
	assert_int_equal(ATMOST_OBJECT_STATE - 8,
			 type_of(MAP, ATMOST_OBJECT_STATE / 16 - 1).size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_does_what_its_model_does),
		cmocka_unit_test(
			a_type_declares_the_arguments_and_results_of_its_function),
		cmocka_unit_test(
			the_same_damaged_state_gives_the_same_result_each_time),
		cmocka_unit_test(
			a_damaged_queue_or_stack_holds_as_many_values_as_it_says),
		cmocka_unit_test(
			an_impossible_capacity_gives_an_impossible_size),
	};

	seed = prng_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
