/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_ENTER_H
#define ATMOST_RUNTIME_ENTER_H

#include "runtime/member.h"

/* Sets me->enter and me->leave to what its algorithm needs. */
void enter_choose(struct atmost_member *me);

/* Whether the thread may enter: 0, or why not. */
int enter_check(const struct atmost_member *me);

/* Before each passage: own words that are not persistent are zero, and whoever
 * asks for no session gets the first. */
void enter_forget(struct atmost_member *me);

#endif
