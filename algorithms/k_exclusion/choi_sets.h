/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sets of Choi's algorithm over the places 0..k-1 of a block.
 *
 *	Wait-Set(j)     j; every prefix of j, then 1, then zeros, from j to k-1;
 *	                and k-1
 *	Release-Set(j)  every prefix of j, then zeros
 *
 * over ceil(log2 k) bits.  In ascending order Wait-Set(j) is the way up in a
 * binary indexed tree from j+1, which adds the lowest 1, and Release-Set(j) is
 * the way down from j in reverse, which removes it.  For i <= j the two sets
 * meet, as a point and the prefixes of the tree that contain it do.
 */
#ifndef ATMOST_CHOI_SETS_H
#define ATMOST_CHOI_SETS_H

#include "algorithm.h"

/* ceil(log2 k): the bits of a place. */
static inline unsigned choi_bits(uint64_t k)
{
	unsigned bits = 0;

	while (UINT64_C(1) << bits < k)
		bits++;
	return bits;
}

/* Wait-Set(j), ascending from j: the element after w; k: there is none. */
static inline uint64_t choi_next_waited(uint64_t j, uint64_t w, uint64_t k)
{
	uint64_t next = w == j ? j + 1 : w + (w & (~w + 1));

	if (w == k - 1)
		return k;
	return next < k ? next : k - 1;
}

/* Release-Set(j) and -1, ascending from -1: the element after r; > j: there is
 * none. */
static inline int64_t choi_next_released(int64_t j, int64_t r)
{
	int64_t next = j;

	if (r < 0 || r == j)
		return r + 1;
	while ((next & (next - 1)) != r)
		next &= next - 1;
	return next;
}

#endif
