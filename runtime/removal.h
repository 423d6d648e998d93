/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Removing the file of a pool, or replacing it.
 *
 * The remover marks the header: from then on no process can join.  Then the
 * remover checks whether a member has joined (join.c shows the race).  If the
 * remover dies in between, the next process that opens the pool completes or
 * cancels the removal.
 */
#ifndef ATMOST_RUNTIME_REMOVAL_H
#define ATMOST_RUNTIME_REMOVAL_H

#include "runtime/pool.h"

/* 0: the pool is marked, and this process holds LOCK_REMOVE.  ATMOST_ENOTFOUND:
 * the name leads to another file, or to none.  ATMOST_EBUSY: another process
 * has been removing the pool for a second. */
int removal_begin(struct atmost *pool);

/* Cancels a removal that removal_begin has begun: the pool stays. */
void removal_cancel(struct atmost *pool);

/* Called for a pool that is marked as removed: its remover may have died.
 * Removes the file if all members are dead; otherwise the pool stays. */
int removal_resume(struct atmost *pool);

#endif
