/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a process can be killed exactly: at its Nth stop from a moment on.
 */
#ifndef ATMOST_TESTS_CRASH_STOPS_H
#define ATMOST_TESTS_CRASH_STOPS_H

#include "oracle.h"

enum { NEVER = 0 };

/*
 * This process kills itself when it reaches its `at`th stop from here on;
 * with `after_go`, from oracle->go on.  NEVER: it only counts.
 */
void stops_set(const struct actor *actor, uint64_t at, bool after_go);

/* Nor counts any more. */
void stops_end(void);

#endif
