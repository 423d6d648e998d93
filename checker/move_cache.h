/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache of moves.  The next step of a process depends on its local state and
 * on the one word that it accesses, so a move made before is looked up instead
 * of being made again.
 */
#ifndef ATMOST_CHECKER_MOVE_CACHE_H
#define ATMOST_CHECKER_MOVE_CACHE_H

#include "checker/world.h"

/* The move that choice c makes now; NULL: not known, it must be made. */
const struct move *move_cache_find(struct world *w, struct choice c);

/*
 * Remember that c led to the local state `after` and changed these words
 * (NULL: the process was blocked).  The words have their old values again.
 */
void move_cache_remember(struct world *w, struct choice c,
			 struct local_state *after,
			 const struct word_change *change, unsigned count);

#endif
