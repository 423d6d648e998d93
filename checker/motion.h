/* SPDX-License-Identifier: BSD-2-Clause */
/* What a choice does to its process and to the words. */
#ifndef ATMOST_CHECKER_MOTION_H
#define ATMOST_CHECKER_MOTION_H

#include "checker/world.h"

/*
 * Make c, on the stack of its process, which holds the current state.  False:
 * the process is blocked and nothing has changed.
 */
bool motion_make(struct world *w, struct choice c);

#endif
