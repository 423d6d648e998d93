/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The monitors check the properties.  They tell which properties a transition
 * or a state violates, and they remember what they need for that.
 */
#ifndef ATMOST_CHECKER_MONITOR_H
#define ATMOST_CHECKER_MONITOR_H

#include "checker/world.h"

/*
 * Process p has just moved; its local state was `before`.  Update what the
 * monitors remember and return the properties that the move violates.
 * *overtaken becomes the set of processes that p overtook by entering.
 */
unsigned monitor_observe(struct world *w, unsigned p,
			 const struct local_state *before, uint32_t *overtaken);

/* Returns the property that p violates by too many steps in its doorway, leave,
 * abort or operation, or 0 if there is none. */
unsigned monitor_too_long(const struct world *w, unsigned p);

/* Returns the properties that the current state violates.  `enabled` are the
 * processes that can step, and `nappers` the processes that the end of a nap
 * would let proceed. */
unsigned monitor_refused(struct world *w, uint64_t enabled, uint64_t nappers);

/*
 * Returns whether no process is in the way of p.  In group exclusion: p is
 * trying, and concurrent-occupancy says that p enters even if the processes
 * inside stay there.  Otherwise: p is busy, and no-wait-below-k says that p
 * does not wait.
 */
bool monitor_has_free_way(const struct world *w, unsigned p);

#endif
