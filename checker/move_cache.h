/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cache of moves.  The next step of a process depends on its local state and
 * on the one word that the step accesses.  So a move that was made before is
 * looked up and not made again.
 */
#ifndef ATMOST_CHECKER_MOVE_CACHE_H
#define ATMOST_CHECKER_MOVE_CACHE_H

#include "checker/world.h"

/* Returns the stored move that choice c makes now; NULL if there is no such
 * move: then the caller must make the move. */
const struct move *move_cache_find(struct world *w, struct choice c);

/*
 * Remember that choice c led to the local state `after` (NULL: the process was
 * blocked) and changed these words.  When the caller calls this, the words have
 * their old values again.
 */
void move_cache_remember(struct world *w, struct choice c,
			 struct local_state *after,
			 const struct word_change *change, unsigned count);

#endif
