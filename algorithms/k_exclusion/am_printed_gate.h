/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the gate of Figure 4 as printed: footnote 2 assumes that the
 * decrement leaves 0 unchanged.  No machine has such an instruction, so the
 * decrement is one large step, and an algorithm with this gate can only be
 * simulated.
 *
 * A process that gets no slot leaves no trace at the gate.  So it gets no slot
 * only if k other processes hold one, and at most n-k processes are on the
 * slower path.
 */
#ifndef ATMOST_AM_PRINTED_GATE_H
#define ATMOST_AM_PRINTED_GATE_H

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

/* Each gate keeps k processes from the slow path. */
static inline unsigned slow_most(const struct shape *shape, unsigned gates)
{
	return shape->n > gates * shape->k ? shape->n - gates * shape->k : 0;
}

static inline uint64_t bounded_decrement(void *shared, struct process *self)
{
	struct word *G = shared;
	uint64_t g = mem_peek(G);

	(void)self;
	if (g > 0)
		mem_poke(G, g - 1);
	return g;
}

/* Returns true if the process took a slot. */
static inline bool gate_take(struct word *G, struct process *self)
{
	uint64_t g;

F4_2:	g = mem_atomic(bounded_decrement, G, self);
	return g > 0;
}

static inline void gate_give(struct word *G)
{
F4_9:	mem_add(G, 1);
}

#endif
