/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_ENTER_H
#define ATMOST_RUNTIME_ENTER_H

#include "runtime/member.h"

/* Sets me->doorway and me->leave to the functions that the pool's algorithm
 * needs. */
void enter_choose(struct atmost_member *me);

/* Returns 0 if the thread is allowed to enter, otherwise the error that
 * atmost_enter would return. */
int enter_check(const struct atmost_member *me);

/* Prepares the next passage: clears the own words that do not outlive a
 * passage, and sets the session to 1, the default. */
void enter_forget(struct atmost_member *me);

#endif
