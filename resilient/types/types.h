/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declares the common parts of the ready-made types.  A state consists of
 * 64-bit words, all zero at first.  The size of the state comes from the
 * caller's own type, not from the shared memory, and determines the capacity.
 * A function limits every count and index that it reads from the state to the
 * capacity, so it never accesses memory outside the state.
 */
#ifndef ATMOST_RESILIENT_TYPES_H
#define ATMOST_RESILIENT_TYPES_H

#include "atmost/resilient.h"

/* Sets both results: 1 for success or 0 for failure, and a value. */
static inline void answer(uint64_t *result, bool done, uint64_t value)
{
	result[0] = done;
	result[1] = value;
}

/*
 * Returns the size of a state that has `head` words and `each` further words
 * per item.  For an impossible capacity this is a size that no shared object
 * can have: 0 for capacity 0, and more than ATMOST_OBJECT_STATE for a capacity
 * that is too large.  The computed size never wraps.
 */
static inline size_t size_for(unsigned capacity, size_t head, size_t each)
{
	if (capacity == 0)
		return 0;
	if (capacity > ATMOST_OBJECT_STATE)
		capacity = ATMOST_OBJECT_STATE;
	return (head + capacity * each) * sizeof(uint64_t);
}

/* Returns the capacity of a state of this size. */
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
