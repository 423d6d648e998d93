/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stores a set of explanations (see linear.h), in the order in which they were
 * added.  An explanation is a sequence of words: first a word with a bit for
 * each pending operation that has happened, and then the state.
 */
#ifndef ATMOST_TESTS_LINEAR_EXPLANATIONS_H
#define ATMOST_TESTS_LINEAR_EXPLANATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXPLANATIONS_MOST = 1 << 20 };

struct explanations {
	size_t words, count, room;
	uint64_t *word;
	uint32_t *table; /* index + 1; twice as many entries as room */
};

void explanations_make(struct explanations *set, size_t words);
void explanations_free(struct explanations *set);
void explanations_clear(struct explanations *set);

/* Returns false if the set would have too many explanations.  Adding may move
 * all explanations. */
bool explanations_add(struct explanations *set, const uint64_t *explanation);

static inline const uint64_t *explanations_at(const struct explanations *set,
					      size_t i)
{
	return set->word + i * set->words;
}

#endif
