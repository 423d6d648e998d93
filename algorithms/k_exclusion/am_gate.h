/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The gate of Figure 4: k slots; who finds none goes another way.
 *
 * The paper assumes a decrement that leaves 0 as it is, which no machine has.
 * Ours subtracts, and adds again at once where it got none.  In between others
 * may find no slot though one is free: that costs them the other way, which
 * therefore must have room for all n, not for the n-k of the paper.
 */
#ifndef ATMOST_AM_GATE_H
#define ATMOST_AM_GATE_H

#include "am_place.h"

static inline void gate_init(struct word *G, const struct shape *shape,
			     unsigned number)
{
	mem_poke(G, shape->k);
	mem_name(G, "G", number);
}

static inline bool gate_quiet(struct word *G, const struct shape *shape)
{
	return mem_peek(G) == shape->k;
}

/* True: a slot was taken. */
static inline bool gate_take(struct word *G)
{
	int64_t g;

F4_2:	g = (int64_t)mem_add(G, (uint64_t)-1);
	if (g > 0)
		return true;
F4_2u:	mem_add(G, 1);
	return false;
}

static inline void gate_give(struct word *G)
{
F4_9:	mem_add(G, 1);
}

#endif
