/* SPDX-License-Identifier: BSD-2-Clause */
/* All that can happen next, and what the state itself refuses. */
#ifndef ATMOST_CHECKER_EXPAND_H
#define ATMOST_CHECKER_EXPAND_H

#include "checker/seen.h"
#include "checker/world.h"

enum { MAX_EDGES = 512, EXPAND_ROOM = 64 << 20 };

struct expansion {
	struct heap room; /* the edges, until the next expansion */
	struct edge *edge[MAX_EDGES];
	unsigned count;
	uint64_t enabled; /* processes that get further if they run */
	unsigned refused; /* properties, by the state */
};

bool expansion_open(struct expansion *x);
void expansion_close(struct expansion *x);

/*
 * Expand the state w is in.  seen, if given, is told early where it will be
 * asked.  overtaken: whom the transition to this state overtook.
 */
void expand(struct world *w, struct expansion *x, const struct seen *seen,
	    uint32_t overtaken);

/* Whether anything is to be learnt beyond e: not after a step too many. */
static inline bool expand_beyond(const struct edge *e)
{
	return !(e->violated & (BOUNDED_DOORWAY | BOUNDED_LEAVE |
				BOUNDED_ABORT | LINEARIZABLE));
}

#endif
