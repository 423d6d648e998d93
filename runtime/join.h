/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_JOIN_H
#define ATMOST_RUNTIME_JOIN_H

#include "runtime/member.h"

/* Does the work of atmost_join, for pools of every kind. */
int join_pool(struct atmost *pool, struct atmost_member **member);

#endif
