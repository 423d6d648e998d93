/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The properties as predicates: those a transition refuses, those a state
 * refuses, and what has to be remembered to tell.
 */
#ifndef ATMOST_CHECKER_MONITOR_H
#define ATMOST_CHECKER_MONITOR_H

#include "checker/world.h"

uint64_t monitor_hash(const struct world *w);

/* p has just moved, it was where `before` says: remember, and say what is
 * refused.  overtaken: those that p overtook by entering. */
unsigned monitor_observe(struct world *w, unsigned p,
			 const struct local *before, uint32_t *overtaken);

/* Refused because p made too many steps in its doorway, leave or abort. */
unsigned monitor_too_long(const struct world *w, unsigned p);

#endif
