/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines models of the ready-made types, as simple as possible and without
 * code of the library.  The tests compare the types with their models.
 *
 * Equal states have equal words: values are in order, the keys of a map ascend,
 * and unused words are zero.  So states can be compared and kept in a set.
 */
#ifndef ATMOST_TESTS_LINEAR_MODEL_H
#define ATMOST_TESTS_LINEAR_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { MODEL_WORDS = 2 /* arguments, results */, MODEL_CAPACITY = 256 };

enum { COUNTER, REGISTER, QUEUE, STACK, MAP, MODELS };

struct model {
	const char *name;
	unsigned operations; /* operations are numbered 1 to this */
	unsigned results;
	/* How many words a state has; initially they are zero. */
	size_t (*words)(unsigned capacity);
	void (*apply)(uint64_t *state, unsigned capacity, uint64_t operation,
		      const uint64_t *argument, uint64_t *result);
	const char *operation[6];
};

extern const struct model models[MODELS];

#endif
