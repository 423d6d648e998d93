/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells the size of a test run.  `make test` sets ATMOST_SIZE=small: tests of
 * the suite `scaled` then take smaller instances and fewer samples.
 */
#ifndef ATMOST_TESTS_COMMON_SIZE_H
#define ATMOST_TESTS_COMMON_SIZE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* In a small run, a search of the checker ends after this many states. */
enum { SIZE_SMALL_STATES = 100000 };

static inline bool size_is_small(void)
{
	const char *size = getenv("ATMOST_SIZE");

	return size && strcmp(size, "small") == 0;
}

#endif
