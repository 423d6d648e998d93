/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the monotonic clock, for deadlines and for the length of stress tests.
 * Tests print times but never assert them, because a loaded machine must not
 * make a test fail.
 */
#ifndef ATMOST_TESTS_COMMON_CLOCK_H
#define ATMOST_TESTS_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

/*
 * Return the seconds, or the nanoseconds, since some fixed moment in the past.
 */
double clock_seconds(void);
int64_t clock_nanoseconds(void);

/*
 * Returns the moment this many nanoseconds from now, as a deadline of
 * atmost_want.
 */
struct timespec clock_deadline(int64_t nanoseconds);

/*
 * Returns how long a stress test runs: ATMOST_STRESS_SECONDS if that is set;
 * else `usual` seconds, multiplied by ATMOST_STRESS_SHARE if that is set.
 */
double clock_stress_seconds(double usual);

#endif
