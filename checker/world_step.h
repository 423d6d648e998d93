/* SPDX-License-Identifier: BSD-2-Clause */
/* Does what a choice does to its process and to the words. */
#ifndef ATMOST_CHECKER_WORLD_STEP_H
#define ATMOST_CHECKER_WORLD_STEP_H

#include "checker/world.h"

/*
 * Make choice c on the stack of its process, which holds the current local
 * state.  Returns false if the process is blocked; then nothing has changed.
 */
bool world_step(struct world *w, struct choice c);

#endif
