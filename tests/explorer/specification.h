/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs with operations should implement this object, a counter.  Operation
 * 0 adds the argument and returns the old value; operation 1 returns the
 * value. */
#ifndef ATMOST_TESTS_EXPLORER_SPECIFICATION_H
#define ATMOST_TESTS_EXPLORER_SPECIFICATION_H

#include <stdint.h>

enum { OPERATIONS = 2 };

static inline uint64_t specification(uint64_t *state, uint64_t operation,
				     uint64_t argument)
{
	uint64_t old = *state;

	if (operation == 0)
		*state += argument;
	return old;
}

#endif
