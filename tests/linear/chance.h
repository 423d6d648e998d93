/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random numbers that can be had again: ATMOST_SEED, or a new seed, which is
 * printed.
 */
#ifndef ATMOST_TESTS_LINEAR_CHANCE_H
#define ATMOST_TESTS_LINEAR_CHANCE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline uint64_t chance_seed(void)
{
	const char *wanted = getenv("ATMOST_SEED");
	struct timespec now;
	uint64_t seed;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seed = wanted ? strtoull(wanted, NULL, 0)
		      : (uint64_t)(now.tv_sec * 1000000 + now.tv_nsec / 1000) %
				1000000007;
	printf("ATMOST_SEED=%ju\n", (uintmax_t)seed);
	return seed;
}

static inline uint64_t chance(uint64_t *random)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* From 0 to below. */
static inline unsigned chance_below(uint64_t *random, unsigned below)
{
	return (unsigned)(chance(random) % below);
}

#endif
