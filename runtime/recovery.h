/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Undoing what the dead began.
 *
 * Whoever recovers a member holds its life lock, so is alone with it; if it
 * dies on the way the lock is a dead one's again, and the next begins anew.
 */
#ifndef ATMOST_RUNTIME_RECOVERY_H
#define ATMOST_RUNTIME_RECOVERY_H

#include "runtime/member.h"

/* Recovers whoever is dead, and ends a resize that one of them began.  How many
 * there were. */
unsigned recovery_look(struct atmost *object);

/* The same of those that hold a slot: few to look at. */
unsigned recovery_look_inside(struct atmost *object);

/* Whether somebody recovers a member just now, as far as one can see: its
 * process is gone, and yet a living thread has its life lock. */
bool recovery_is_under_way(const struct atmost *object);

/* Whether the member is dead and cannot be recovered: takes no lock. */
bool recovery_is_lost(const struct atmost *object, unsigned id);

/* Whether it is dead, and left to others who know the object: likewise. */
bool recovery_is_left(const struct atmost *object, unsigned id);

/*
 * What one that is about to sleep watches: the life of those inside, and of
 * the one that went to sleep before it, who will be inside next.  False: one of
 * them is dead, do not sleep.
 */
bool recovery_watch(struct atmost_member *me, struct wait_watch *watch);

/* The same of one of those inside only, another for each member; and the sleep
 * is to be short. */
bool recovery_watch_one(struct atmost_member *me, struct wait_watch *watch);

#endif
