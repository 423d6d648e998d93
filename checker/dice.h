/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers that a seed brings back: xorshift64*, enough for schedules. */
#ifndef ATMOST_CHECKER_DICE_H
#define ATMOST_CHECKER_DICE_H

#include <stdint.h>

struct dice {
	uint64_t state;
};

static inline void dice_seed(struct dice *d, uint64_t seed)
{
	d->state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	d->state |= d->state == 0;
}

static inline uint64_t dice_next(struct dice *d)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return d->state * UINT64_C(0x2545f4914f6cdd1d);
}

/* One of 0..limit-1; the tiny bias of the method does not matter here. */
static inline unsigned dice_below(struct dice *d, unsigned limit)
{
	return (unsigned)((dice_next(d) >> 32) * limit >> 32);
}

#endif
