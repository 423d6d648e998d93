/* SPDX-License-Identifier: BSD-2-Clause */
#include "clock.h"

#include <stdlib.h>

enum { SECOND = 1000000000 };

int64_t clock_nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

double clock_seconds(void)
{
	return (double)clock_nanoseconds() / SECOND;
}

struct timespec clock_deadline(int64_t nanoseconds)
{
	const int64_t at = clock_nanoseconds() + nanoseconds;

	return (struct timespec){ at / SECOND, at % SECOND };
}

double clock_stress_seconds(double usual)
{
	const char *wanted = getenv("ATMOST_STRESS_SECONDS");
	const char *share = getenv("ATMOST_STRESS_SHARE");

	if (wanted && *wanted)
		return strtod(wanted, NULL);
	return share && *share ? usual * strtod(share, NULL) : usual;
}
