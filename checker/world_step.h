/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a choice: changes the state of its process and the words. */
#ifndef ATMOST_CHECKER_WORLD_STEP_H
#define ATMOST_CHECKER_WORLD_STEP_H

#include "checker/world.h"

/*
 * Make choice c on the stack of its process, which holds the current local
 * state.  Returns false if the process is blocked; then nothing has changed.
 */
bool world_step(struct world *w, struct choice c);

#endif
