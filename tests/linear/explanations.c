/* SPDX-License-Identifier: BSD-2-Clause */
#include "explanations.h"

#include <stdlib.h>
#include <string.h>

/* Aborts the test if there is no memory. */
static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static uint64_t hash(const uint64_t *word, size_t words)
{
	uint64_t h = words;

	for (size_t i = 0; i < words; i++) {
		h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

/* The place of an explanation in the table, or the free place for it. */
static uint32_t *place(const struct explanations *set, const uint64_t *e)
{
	const size_t mask = 2 * set->room - 1;
	size_t at = (size_t)hash(e, set->words) & mask;

	while (set->table[at] &&
	       memcmp(explanations_at(set, set->table[at] - 1), e,
		      set->words * sizeof *e) != 0)
		at = (at + 1) & mask;
	return &set->table[at];
}

static void grow(struct explanations *set, size_t room)
{
	set->room = room;
	set->word = must(
		realloc(set->word, room * set->words * sizeof *set->word));
	free(set->table);
	set->table = must(calloc(2 * room, sizeof *set->table));
	for (size_t i = 0; i < set->count; i++)
		*place(set, explanations_at(set, i)) = (uint32_t)i + 1;
}

void explanations_make(struct explanations *set, size_t words)
{
	*set = (struct explanations){ .words = words };
	grow(set, 64);
}

void explanations_free(struct explanations *set)
{
	free(set->word);
	free(set->table);
}

/*
 * If the table is large and has few explanations, the function removes them one
 * by one, beginning with the one that was added last.  The lookup of an
 * explanation never passes an explanation that was added later, so a removal
 * hides no other explanation.
 */
void explanations_clear(struct explanations *set)
{
	if (set->count >= set->room / 16) {
		memset(set->table, 0, 2 * set->room * sizeof *set->table);
		set->count = 0;
	}
	while (set->count > 0) {
		*place(set, explanations_at(set, set->count - 1)) = 0;
		set->count--;
	}
}

bool explanations_add(struct explanations *set, const uint64_t *explanation)
{
	uint32_t *at = place(set, explanation);

	if (*at)
		return true;
	if (set->count == EXPLANATIONS_MOST)
		return false;
	memcpy(set->word + set->count * set->words, explanation,
	       set->words * sizeof *explanation);
	set->count++;
	*at = (uint32_t)set->count;
	if (set->count == set->room)
		grow(set, 2 * set->room);
	return true;
}
