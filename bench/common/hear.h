/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_BENCH_HEAR_H
#define ATMOST_BENCH_HEAR_H

#include "bench/common/clock.h"

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>

/* So many posts; false: they did not come within a time that nobody needs. */
static inline bool hear(sem_t *of, unsigned count)
{
	const struct timespec end = clock_timespec(clock_now() +
						   20 * (int64_t)SECOND);

	for (; count > 0; count--)
		while (sem_clockwait(of, CLOCK_MONOTONIC, &end) < 0)
			if (errno == ETIMEDOUT)
				return false;
	return true;
}

#endif
