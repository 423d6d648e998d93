/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes pseudorandom numbers (xorshift64*): the same seed gives the same
 * sequence.  The quality is sufficient for drawing schedules.
 */
#ifndef ATMOST_CHECKER_PRNG_H
#define ATMOST_CHECKER_PRNG_H

#include <stdint.h>

struct prng {
	uint64_t state; /* never 0 */
};

static inline void prng_seed(struct prng *r, uint64_t seed)
{
	r->state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	r->state |= r->state == 0;
}

static inline uint64_t prng_next(struct prng *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * UINT64_C(0x2545f4914f6cdd1d);
}

/*
 * Returns a number in [0, limit); the bias of this method is negligible here.
 */
static inline unsigned prng_below(struct prng *r, unsigned limit)
{
	return (unsigned)((prng_next(r) >> 32) * limit >> 32);
}

#endif
