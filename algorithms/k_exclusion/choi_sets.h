/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines the sets of Choi's algorithm over the places 0..k-1 of a block.
 *
 *	Wait-Set(j)     j; k-1; and every number between them that consists of
 *	                a prefix of j, a 1, and zeros
 *	Release-Set(j)  every number that consists of a prefix of j and zeros
 *
 * All numbers have ceil(log2 k) bits.  The sets are the paths of a binary
 * indexed tree.  In ascending order Wait-Set(j) is j and then the path up from
 * j+1; each step adds the lowest 1 bit.  In descending order Release-Set(j) is
 * the path down from j; each step removes the lowest 1 bit.  If i <= j,
 * Wait-Set(i) and Release-Set(j) have an element in common, for the same reason
 * for which an update of i and a query up to j meet in such a tree.
 */
#ifndef ATMOST_CHOI_SETS_H
#define ATMOST_CHOI_SETS_H

#include "algorithm.h"

/* Returns the number of bits of a place: ceil(log2 k). */
static inline unsigned choi_bits(uint64_t k)
{
	unsigned bits = 0;

	while (UINT64_C(1) << bits < k)
		bits++;
	return bits;
}

/* Returns the element after w in Wait-Set(j), in ascending order from j, or k
 * if w is the last element. */
static inline uint64_t choi_next_waited(uint64_t j, uint64_t w, uint64_t k)
{
	uint64_t next = w == j ? j + 1 : w + (w & (~w + 1));

	if (w == k - 1)
		return k;
	return next < k ? next : k - 1;
}

/* Returns the element after r in the set of -1 and the elements of
 * Release-Set(j), in ascending order from -1; if r is the last element, a
 * number above j. */
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
