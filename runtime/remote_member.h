/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of pools of several machines.  They have no record and no life lock:
 * their leases tell whether they live.
 */
#ifndef ATMOST_RUNTIME_REMOTE_MEMBER_H
#define ATMOST_RUNTIME_REMOTE_MEMBER_H

#include "runtime/member.h"

/* Makes e->member a member of the pool; the caller enlists it. */
int remote_join(struct enrolled *e, struct atmost *pool);
/* Ends a member of this process; a holder leaves, a waiter gives up. */
void remote_part(struct enrolled *e);

/* Returns the slot, or an error for remote_fail. */
int remote_enter(struct atmost_member *me, const struct atmost_want *want);
/* Sets the text of atmost_detail for an error of atmost_enter, unless
 * remote_enter has set it. */
int remote_fail(const struct atmost *pool, int error);

int remote_label(struct atmost_member *me, const char *text);

#endif
