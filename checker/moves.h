/* SPDX-License-Identifier: BSD-2-Clause */
/* Moves made before, looked up instead of made again. */
#ifndef ATMOST_CHECKER_MOVES_H
#define ATMOST_CHECKER_MOVES_H

#include "checker/world.h"

/* The move that c would be, if it was made before; NULL: make it. */
struct move *moves_find(struct world *w, struct choice c);

/*
 * Remember that c led to `after` by edge e (NULL, NULL: it was blocked).  The
 * changes have been taken back already.
 */
void moves_remember(struct world *w, struct choice c, struct local *after,
		    const struct edge *e);

#endif
