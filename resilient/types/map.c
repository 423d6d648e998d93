/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines the map from keys to values: pairs in no order, searched one by one.
 * A search costs no more than the copy of the state that every operation makes
 * anyway.  Every state is a valid map, even a state that has a key twice: then
 * the first pair counts.
 */
#include "resilient/types/types.h"

struct pair {
	uint64_t key, value;
};

struct map {
	uint64_t count;
	struct pair pair[];
};

enum {
	HEAD = sizeof(struct map) / sizeof(uint64_t),
	EACH = sizeof(struct pair) / sizeof(uint64_t)
};

/* Returns the index of the key; the count if the map does not have the key. */
static uint64_t find(const struct map *m, uint64_t key)
{
	uint64_t i = 0;

	while (i < m->count && m->pair[i].key != key)
		i++;
	return i;
}

/* Adds a pair whose key the map does not have.  `value`: the second result if
 * there is room for the pair. */
static void append(struct map *m, uint64_t room, struct pair pair,
		   uint64_t *result, uint64_t value)
{
	if (m->count == room) {
		answer(result, false, 0);
		return;
	}
	m->pair[m->count] = pair;
	m->count++;
	answer(result, true, value);
}

static void change(struct map *m, uint64_t room, uint64_t operation,
		   struct pair pair, uint64_t *result)
{
	const uint64_t at = find(m, pair.key);
	const bool there = at < m->count;
	const uint64_t before = there ? m->pair[at].value : 0;

	answer(result, there, before);
	if (operation == ATMOST_MAP_PUT) {
		if (there)
			m->pair[at].value = pair.value;
		else
			append(m, room, pair, result, 0);
	} else if (operation == ATMOST_MAP_ADD) {
		if (there)
			answer(result, false, before);
		else
			append(m, room, pair, result, pair.value);
	} else if (operation == ATMOST_MAP_REMOVE && there) {
		m->count--;
		m->pair[at] = m->pair[m->count];
	}
}

static void apply(void *state, size_t size, uint64_t operation,
		  const uint64_t *argument, uint64_t *result)
{
	struct map *m = state;
	const uint64_t room = room_in(size, HEAD, EACH);

	answer(result, false, 0);
	if (room == 0)
		return;
	m->count = at_most(m->count, room);
	if (operation == ATMOST_MAP_COUNT)
		answer(result, true, m->count);
	else
		change(m, room, operation,
		       (struct pair){ argument[0], argument[1] }, result);
}

struct atmost_object_type atmost_map_type(unsigned capacity)
{
	return (struct atmost_object_type){
		.name = "map",
		.size = size_for(capacity, HEAD, EACH),
		.apply = apply,
		.operations = ATMOST_MAP_COUNT,
		.arguments = 2,
		.results = 2,
	};
}
