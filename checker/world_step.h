/* SPDX-License-Identifier: BSD-2-Clause */
/* What a choice does to its process and to the words. */
#ifndef ATMOST_CHECKER_WORLD_STEP_H
#define ATMOST_CHECKER_WORLD_STEP_H

#include "checker/world.h"

/*
 * Make choice c on the stack of its process, which holds the current local
 * state.  False: the process is blocked and nothing has changed.
 */
bool world_step(struct world *w, struct choice c);

#endif
