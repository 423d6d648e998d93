/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sets of Choi's algorithm over the places 0..k-1 of a block.
 *
 *	Wait-Set(j)     j; k-1; and every number between them that is a prefix
 *	                of j, then 1, then zeros
 *	Release-Set(j)  every number that is a prefix of j, then zeros
 *
 * All numbers have ceil(log2 k) bits.  Compare a binary indexed tree.  In
 * ascending order Wait-Set(j) is the way up from j+1; each step adds the lowest
 * 1.  In descending order Release-Set(j) is the way down from j; each step
 * removes the lowest 1.  If i <= j, Wait-Set(i) and Release-Set(j) have an
 * element in common, as an update of i and a query up to j have in such a tree.
 */
#ifndef ATMOST_CHOI_SETS_H
#define ATMOST_CHOI_SETS_H

#include "algorithm.h"

/* The number of bits of a place: ceil(log2 k). */
static inline unsigned choi_bits(uint64_t k)
{
	unsigned bits = 0;

	while (UINT64_C(1) << bits < k)
		bits++;
	return bits;
}

/* The element after w in Wait-Set(j), in ascending order from j.  Returns k
 * if there is no such element. */
static inline uint64_t choi_next_waited(uint64_t j, uint64_t w, uint64_t k)
{
	uint64_t next = w == j ? j + 1 : w + (w & (~w + 1));

	if (w == k - 1)
		return k;
	return next < k ? next : k - 1;
}

/* The element after r in Release-Set(j) with -1 added, in ascending order from
 * -1.  Returns a number above j if there is no such element. */
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
