/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds all transitions of a state, and the properties that the state violates.
 */
#ifndef ATMOST_CHECKER_EXPAND_H
#define ATMOST_CHECKER_EXPAND_H

#include "checker/seen.h"
#include "checker/transition.h"

struct expansion {
	struct heap room; /* holds the transitions until the next expansion */
	struct transition *transition[MAX_TRANSITIONS];
	unsigned count;
	uint64_t enabled; /* processes that would proceed if they ran */
	unsigned refused; /* properties that the state violates */
};

bool expand_open(struct expansion *x);
void expand_close(struct expansion *x);

/*
 * Expand the current state of w.  `seen` is the set in which the caller will
 * look up the targets of the transitions; its entries for the targets are
 * prefetched.  It may be NULL.
 */
void expand(struct world *w, struct expansion *x, const struct seen *seen);

/*
 * Check the step bound of fife in the current state of w.  `overtaken` is the
 * set of processes that the transition to this state overtook.  Returns the
 * violated property, or 0.
 */
unsigned expand_overtaken(struct world *w, uint32_t overtaken);

/* Returns whether the search goes on from the target of t.  It does not go on
 * if t exceeds the bound on the steps of a doorway, leave, abort or operation,
 * or violates linearizability. */
static inline bool expand_beyond(const struct transition *t)
{
	return !(t->violated & (BOUNDED_DOORWAY | BOUNDED_LEAVE |
				BOUNDED_ABORT | BOUNDED_APPLY | LINEARIZABLE));
}

#endif
