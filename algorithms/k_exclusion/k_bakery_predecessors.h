/* SPDX-License-Identifier: BSD-2-Clause */
/* All forms of the k-bakery use this header: it has the order of tickets and
 * the predecessors, which are the processes that may still be ahead.  The
 * predecessors are a set with one bit for each process, in the own words from
 * `first` on. */
#ifndef ATMOST_K_BAKERY_PREDECESSORS_H
#define ATMOST_K_BAKERY_PREDECESSORS_H

#include "algorithm.h"

static inline unsigned predecessor_words(const struct shape *shape)
{
	return (shape->n + 63) / 64;
}

static inline bool before(uint64_t t, unsigned i, uint64_t u, unsigned j)
{
	return t < u || (t == u && i < j);
}

static inline bool is_predecessor(struct process *self, unsigned first,
				  unsigned i)
{
	return mem_own_read(self, first + i / 64) >> i % 64 & 1;
}

static inline void drop_predecessor(struct process *self, unsigned first,
				    unsigned i)
{
	uint64_t bits = mem_own_read(self, first + i / 64);

	mem_own_write(self, first + i / 64, bits & ~(UINT64_C(1) << i % 64));
}

static inline unsigned predecessors(struct process *self, unsigned first)
{
	unsigned count = 0;

	for (unsigned i = 0; i < self->shape->n; i++)
		count += is_predecessor(self, first, i);
	return count;
}

static inline void everybody_precedes(struct process *self, unsigned first)
{
	for (unsigned i = 0; i < self->shape->n; i += 64) {
		unsigned here = self->shape->n - i;

		mem_own_write(self, first + i / 64,
			      here < 64 ? (UINT64_C(1) << here) - 1
					: UINT64_MAX);
	}
	drop_predecessor(self, first, self->id);
}

#endif
