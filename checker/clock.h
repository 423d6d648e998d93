/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_CLOCK_H
#define ATMOST_CHECKER_CLOCK_H

#include <time.h>

/* Returns the time of the monotonic clock in seconds. */
static inline double clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
