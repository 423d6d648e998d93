/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the ready-made types have in common.  A state is words of 64 bits, all
 * zero at first.  Its size, which the caller's own type says and not the shared
 * memory, tells how much there is room for; a word of the state that counts or
 * points is compared with that wherever it is read.
 */
#ifndef ATMOST_RESILIENT_TYPES_H
#define ATMOST_RESILIENT_TYPES_H

#include "atmost/resilient.h"

/* Two results: whether it was done, and a value. */
static inline void answer(uint64_t *result, bool done, uint64_t value)
{
	result[0] = done;
	result[1] = value;
}

/*
 * The size of a state of `head` words and `each` words for an item.  One that
 * no object can have where the capacity cannot be: 0 if that is 0, and more
 * than ATMOST_OBJECT_STATE, but never a sum that wrapped, if it is too large.
 */
static inline size_t size_for(unsigned capacity, size_t head, size_t each)
{
	if (capacity == 0)
		return 0;
	if (capacity > ATMOST_OBJECT_STATE)
		capacity = ATMOST_OBJECT_STATE;
	return (head + capacity * each) * sizeof(uint64_t);
}

/* The capacity of a state of this size. */
static inline uint64_t room_in(size_t size, size_t head, size_t each)
{
	size_t words = size / sizeof(uint64_t);

	return words > head ? (words - head) / each : 0;
}

static inline uint64_t at_most(uint64_t value, uint64_t limit)
{
	return value < limit ? value : limit;
}

#endif
