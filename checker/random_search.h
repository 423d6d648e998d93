/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_RANDOM_SEARCH_H
#define ATMOST_CHECKER_RANDOM_SEARCH_H

#include "checker/workers.h"

/*
 * Run random schedules of at most `depth` steps each, until told to stop or
 * until a property is violated.  Schedules take turns with three policies: any
 * process with equal probability; bursts of steps of one process; priorities
 * that change at a few random points (PCT).
 */
void random_search_run(const struct question *q, struct workers *workers,
		       uint64_t seed, unsigned depth);

#endif
