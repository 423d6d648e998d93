/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Removes the file of a pool, or prepares its replacement.
 *
 * The remover marks the header: from then on no process can join.  Then the
 * remover checks whether a member has joined (join.c shows the race).  If the
 * remover dies in between, the next process that opens the pool completes or
 * cancels the removal.
 */
#ifndef ATMOST_RUNTIME_REMOVAL_H
#define ATMOST_RUNTIME_REMOVAL_H

#include "runtime/pool.h"

/* Marks the pool as removed.  Returns 0 if the pool is marked and this process
 * holds LOCK_REMOVE, ATMOST_ENOTFOUND if the name leads to another file or to
 * none, and ATMOST_EBUSY if another process has been removing the pool for a
 * second. */
int removal_begin(struct atmost *pool);

/* Cancels a removal that removal_begin has begun: the pool stays. */
void removal_cancel(struct atmost *pool);

/* To be called for a pool that is marked as removed, because its remover may
 * have died.  Removes the file if all members are dead; otherwise the pool
 * stays. */
int removal_resume(struct atmost *pool);

#endif
