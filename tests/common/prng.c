/* SPDX-License-Identifier: BSD-2-Clause */
#include "prng.h"

#include "clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t prng_seed(void)
{
	static uint64_t seed;
	static bool known;
	const char *wanted = getenv("ATMOST_SEED");

	if (known)
		return seed;
	known = true;
	seed = wanted && *wanted ? strtoull(wanted, NULL, 0)
				 : ((uint64_t)clock_nanoseconds() / 1000 +
				    (uint64_t)getpid()) %
					   1000000007;
	printf("ATMOST_SEED=%ju\n", (uintmax_t)seed);
	fflush(stdout);
	return seed;
}

uint64_t prng_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

unsigned prng_below(uint64_t *state, uint64_t limit)
{
	const uint64_t number = prng_next(state);

	return limit ? (unsigned)(number % limit) : 0;
}
