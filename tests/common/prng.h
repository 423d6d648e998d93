/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes pseudo-random numbers.  A run with the same seed repeats them. */
#ifndef ATMOST_TESTS_COMMON_PRNG_H
#define ATMOST_TESTS_COMMON_PRNG_H

#include <stdint.h>

/* Returns ATMOST_SEED if that is set, else a new seed.  The first call prints
 * the seed; later calls return the same seed. */
uint64_t prng_seed(void);

/*
 * Returns the next number of the sequence whose state is *state (splitmix64).
 */
uint64_t prng_next(uint64_t *state);

/* Returns a number from 0 to limit - 1, or 0 if the limit is 0. */
unsigned prng_below(uint64_t *state, uint64_t limit);

#endif
