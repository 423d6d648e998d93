/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of table.h that are about members: what a member's thread does. */
#ifndef ATMOST_CLUSTER_MEMBER_H
#define ATMOST_CLUSTER_MEMBER_H

#include "cluster/remote_member.h"

int member_join(struct remote_pool *, struct remote_member **, char *why);
void member_part(struct remote_member *);
int member_enter(struct remote_member *, uint64_t session,
		 const struct atmost_want *, char *why);
int member_leave(void *shared, struct process *unused);
int member_label(struct remote_member *, const char *text);
uint64_t member_token(const struct remote_member *);
int64_t member_until(const struct remote_member *);
int member_lapse_fd(const struct remote_member *);

#endif
