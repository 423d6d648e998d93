/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads clocks; all times are in nanoseconds. */
#ifndef ATMOST_BENCH_CLOCK_H
#define ATMOST_BENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { SECOND = 1000000000 };

static inline int64_t clock_read(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

static inline int64_t clock_now(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/* Returns the CPU time of the calling thread; more precise than getrusage. */
static inline int64_t clock_cpu(void)
{
	return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

static inline struct timespec clock_timespec(int64_t time)
{
	return (struct timespec){ time / SECOND, time % SECOND };
}

#endif
