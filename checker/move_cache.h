/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps a cache of moves.  The next step of a process depends on its local
 * state and on the one word that the step accesses.  So the checker looks up a
 * move that was made before, and does not make it again.
 */
#ifndef ATMOST_CHECKER_MOVE_CACHE_H
#define ATMOST_CHECKER_MOVE_CACHE_H

#include "checker/world.h"

/* Returns the stored move for choice c in the current state.  Returns NULL if
 * no such move is stored; the caller must then make the move. */
const struct move *move_cache_find(struct world *w, struct choice c);

/*
 * Remember that choice c led to the local state `after` (NULL: the process was
 * blocked) and changed the words in `change`.  Before this call, the caller
 * gives the words their old values again.
 */
void move_cache_remember(struct world *w, struct choice c,
			 struct local_state *after,
			 const struct word_change *change, unsigned count);

#endif
