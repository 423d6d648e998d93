/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stops: points at which a process can be killed exactly.
 */
#ifndef ATMOST_TESTS_CRASH_STOPS_H
#define ATMOST_TESTS_CRASH_STOPS_H

#include "oracle.h"

enum { NEVER = 0 };

/*
 * From now on this process counts its stops and kills itself at stop number
 * `at`; NEVER: it only counts.  With `after_go` it counts once oracle->go is
 * set.
 */
void stops_set(const struct oracle_worker *worker, uint64_t at, bool after_go);

/* The process stops counting. */
void stops_end(void);

#endif
