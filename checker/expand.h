/* SPDX-License-Identifier: BSD-2-Clause */
/* All transitions of a state, and the properties that the state violates. */
#ifndef ATMOST_CHECKER_EXPAND_H
#define ATMOST_CHECKER_EXPAND_H

#include "checker/seen.h"
#include "checker/transition.h"

struct expansion {
	struct heap room; /* of the transitions, until the next expansion */
	struct transition *transition[MAX_TRANSITIONS];
	unsigned count;
	uint64_t enabled; /* processes that get further if they run */
	unsigned refused; /* properties that the state violates */
};

bool expand_open(struct expansion *x);
void expand_close(struct expansion *x);

/*
 * Expand the current state of w.  seen: if given, the set that will be asked
 * for the targets, to prefetch from.  overtaken: the processes that the
 * transition to this state overtook.
 */
void expand(struct world *w, struct expansion *x, const struct seen *seen,
	    uint32_t overtaken);

/* Whether the search goes on beyond t: not after one step too many. */
static inline bool expand_beyond(const struct transition *t)
{
	return !(t->violated & (BOUNDED_DOORWAY | BOUNDED_LEAVE |
				BOUNDED_ABORT | LINEARIZABLE));
}

#endif
