/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stop is a point of the program at which a process can kill itself.
 */
#ifndef ATMOST_TESTS_CRASH_STOPS_H
#define ATMOST_TESTS_CRASH_STOPS_H

#include "oracle.h"

enum { NEVER = 0 };

/*
 * From now on this process counts its stops and kills itself at stop number
 * `at`; if `at` is NEVER, it only counts.  With `after_go` the process begins
 * to count when oracle->go is set.
 */
void stops_set(const struct oracle_worker *worker, uint64_t at, bool after_go);

/* From now on this process does not count its stops. */
void stops_end(void);

#endif
