/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one process would do if it ran alone from the current state.  All its
 * steps are taken back afterwards.
 */
#ifndef ATMOST_CHECKER_RUN_ALONE_H
#define ATMOST_CHECKER_RUN_ALONE_H

#include "checker/world.h"

/* Whether p, asleep after a failed pass, would get further by another pass. */
bool run_alone_proceeds(struct world *w, unsigned p);

/* The same for a pass after a nap; also false if p does not nap. */
bool run_alone_nap_helps(struct world *w, unsigned p);

/* Whether p gets inside within `steps` steps. */
bool run_alone_enters(struct world *w, unsigned p, unsigned steps);

#endif
