/* SPDX-License-Identifier: BSD-2-Clause */
#include "model.h"

#include "atmost/resilient.h"

#include <string.h>

static void say(uint64_t *result, uint64_t done, uint64_t value)
{
	result[0] = done;
	result[1] = value;
}

static size_t one_word(unsigned capacity)
{
	(void)capacity;
	return 1;
}

static void counter(uint64_t *state, unsigned capacity, uint64_t operation,
		    const uint64_t *argument, uint64_t *result)
{
	(void)capacity;
	result[0] = state[0];
	if (operation == ATMOST_COUNTER_ADD)
		state[0] += argument[0];
}

static void word(uint64_t *state, unsigned capacity, uint64_t operation,
		 const uint64_t *argument, uint64_t *result)
{
	(void)capacity;
	say(result, 1, state[0]);
	if (operation == ATMOST_REGISTER_WRITE)
		state[0] = argument[0];
	if (operation == ATMOST_REGISTER_ADD)
		state[0] += argument[0];
	if (operation == ATMOST_REGISTER_COMPARE_SWAP) {
		result[0] = state[0] == argument[0];
		if (result[0])
			state[0] = argument[1];
	}
}

/* Queue and stack: the number of values, and the values, the oldest first. */

static size_t list_words(unsigned capacity)
{
	return 1 + (size_t)capacity;
}

static uint64_t remove_at(uint64_t *state, size_t at)
{
	uint64_t *value = state + 1, gone = value[at];

	state[0]--;
	memmove(value + at, value + at + 1, (state[0] - at) * sizeof *value);
	value[state[0]] = 0;
	return gone;
}

static void append(uint64_t *state, unsigned capacity, uint64_t value,
		   uint64_t *result)
{
	say(result, state[0] < capacity, state[0] < capacity ? value : 0);
	if (result[0])
		state[++state[0]] = value;
}

static void queue(uint64_t *state, unsigned capacity, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	say(result, 0, 0);
	if (operation == ATMOST_QUEUE_PUT)
		append(state, capacity, argument[0], result);
	else if (operation == ATMOST_QUEUE_LENGTH)
		say(result, 1, state[0]);
	else if (operation == ATMOST_QUEUE_PEEK && state[0])
		say(result, 1, state[1]);
	else if (operation == ATMOST_QUEUE_TAKE && state[0])
		say(result, 1, remove_at(state, 0));
}

static void stack(uint64_t *state, unsigned capacity, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	say(result, 0, 0);
	if (operation == ATMOST_STACK_PUSH)
		append(state, capacity, argument[0], result);
	else if (operation == ATMOST_STACK_DEPTH)
		say(result, 1, state[0]);
	else if (operation == ATMOST_STACK_PEEK && state[0])
		say(result, 1, state[state[0]]);
	else if (operation == ATMOST_STACK_POP && state[0])
		say(result, 1, remove_at(state, state[0] - 1));
}

/* Map: the number of keys, and each key with its value, in order of keys. */

static size_t map_words(unsigned capacity)
{
	return 1 + 2 * (size_t)capacity;
}

static void insert(uint64_t *state, unsigned capacity, size_t at,
		   const uint64_t *pair, uint64_t answer, uint64_t *result)
{
	uint64_t *here = state + 1 + 2 * at;

	if (state[0] == capacity) {
		say(result, 0, 0);
		return;
	}
	memmove(here + 2, here, (state[0] - at) * 2 * sizeof *here);
	here[0] = pair[0];
	here[1] = pair[1];
	state[0]++;
	say(result, 1, answer);
}

static void map(uint64_t *state, unsigned capacity, uint64_t operation,
		const uint64_t *argument, uint64_t *result)
{
	uint64_t *pair = state + 1;
	size_t at = 0;

	while (at < state[0] && pair[2 * at] < argument[0])
		at++;
	if (operation == ATMOST_MAP_COUNT) {
		say(result, 1, state[0]);
	} else if (at == state[0] || pair[2 * at] != argument[0]) {
		say(result, 0, 0);
		if (operation == ATMOST_MAP_PUT)
			insert(state, capacity, at, argument, 0, result);
		if (operation == ATMOST_MAP_ADD)
			insert(state, capacity, at, argument, argument[1],
			       result);
	} else {
		say(result, operation != ATMOST_MAP_ADD, pair[2 * at + 1]);
		if (operation == ATMOST_MAP_PUT)
			pair[2 * at + 1] = argument[1];
		if (operation == ATMOST_MAP_REMOVE) {
			state[0]--;
			memmove(pair + 2 * at, pair + 2 * at + 2,
				(state[0] - at) * 2 * sizeof *pair);
			memset(pair + 2 * state[0], 0, 2 * sizeof *pair);
		}
	}
}

const struct model models[MODELS] = {
	{ "counter",
	  ATMOST_COUNTER_READ,
	  1,
	  one_word,
	  counter,
	  { "", "add", "read" } },
	{ "register",
	  ATMOST_REGISTER_COMPARE_SWAP,
	  2,
	  one_word,
	  word,
	  { "", "read", "write", "add", "compare-swap" } },
	{ "queue",
	  ATMOST_QUEUE_LENGTH,
	  2,
	  list_words,
	  queue,
	  { "", "put", "take", "peek", "length" } },
	{ "stack",
	  ATMOST_STACK_DEPTH,
	  2,
	  list_words,
	  stack,
	  { "", "push", "pop", "peek", "depth" } },
	{ "map",
	  ATMOST_MAP_COUNT,
	  2,
	  map_words,
	  map,
	  { "", "get", "put", "add", "remove", "count" } },
};
