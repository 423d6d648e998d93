/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * These functions find out what one process would do if it ran alone from the
 * current state.  They take back all its steps afterwards.
 */
#ifndef ATMOST_CHECKER_RUN_ALONE_H
#define ATMOST_CHECKER_RUN_ALONE_H

#include "checker/world.h"

/* Returns whether p, which sleeps after a failed pass, would proceed in another
 * pass. */
bool run_alone_proceeds(struct world *w, unsigned p);

/* For a search in which wakes are steps: returns whether p, which sleeps, would
 * proceed if it looked now.  Returns false if a torn read may return a value
 * with which p must wait. */
bool run_alone_would_wake(struct world *w, unsigned p);

/*
 * Returns whether p would proceed in a pass after a nap; returns false if p
 * does not nap.
 */
bool run_alone_nap_helps(struct world *w, unsigned p);

/* Returns whether p would enter within `steps` steps. */
bool run_alone_enters(struct world *w, unsigned p, unsigned steps);

#endif
