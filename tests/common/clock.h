/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The monotonic clock, for deadlines and for the length of stress tests.  A
 * test prints times and never asserts one: a loaded machine is not a failure.
 */
#ifndef ATMOST_TESTS_COMMON_CLOCK_H
#define ATMOST_TESTS_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds since some moment in the past. */
double clock_seconds(void);
int64_t clock_nanoseconds(void);

/* The moment that comes in so many nanoseconds, as atmost_want takes it. */
struct timespec clock_deadline(int64_t nanoseconds);

/*
 * How long a stress test runs: ATMOST_STRESS_SECONDS if that is set; else the
 * `usual` seconds, of which ATMOST_STRESS_SHARE, if set, is the part to run.
 */
double clock_stress_seconds(double usual);

#endif
