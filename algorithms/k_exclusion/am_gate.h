/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the gate of Figure 4.  It has k slots, and a process that gets no
 * slot takes a slower path.
 *
 * The paper assumes a decrement that leaves 0 unchanged; no machine has such an
 * instruction (am_printed_gate.h has it as a large step).  At our gate a
 * process subtracts 1, and adds 1 again at once if it got no slot.  Between
 * these two steps other processes may get no slot although a slot is free, and
 * then take the slower path.  Therefore the slower path must have room for all
 * n processes, not only for n-k as in the paper.
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

/* Any number of processes can be on the slow path at a time. */
static inline unsigned slow_most(const struct shape *shape, unsigned gates)
{
	(void)gates;
	return shape->n;
}

/* Returns true if the process took a slot. */
static inline bool gate_take(struct word *G, struct process *self)
{
	int64_t g;

	(void)self;
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
