/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_ENTER_H
#define ATMOST_RUNTIME_ENTER_H

#include "runtime/member.h"

/* Sets me->doorway and me->leave to the functions that its algorithm needs. */
void enter_choose(struct atmost_member *me);

/* 0: the thread may enter.  Otherwise the error that atmost_enter returns. */
int enter_check(const struct atmost_member *me);

/* Before each passage: clears the own words that do not outlive a passage, and
 * sets session 1, the default. */
void enter_forget(struct atmost_member *me);

#endif
