/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The monotonic clock, for deadlines and for the length of stress tests.  A
 * test prints times and never asserts a time, because a loaded machine must not
 * fail a test.
 */
#ifndef ATMOST_TESTS_COMMON_CLOCK_H
#define ATMOST_TESTS_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds since some moment in the past. */
double clock_seconds(void);
int64_t clock_nanoseconds(void);

/* The moment this many nanoseconds from now, as atmost_want takes it. */
struct timespec clock_deadline(int64_t nanoseconds);

/*
 * How long a stress test runs: ATMOST_STRESS_SECONDS if that is set; else
 * `usual` seconds, multiplied by ATMOST_STRESS_SHARE if that is set.
 */
double clock_stress_seconds(double usual);

#endif
