/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_RANDOM_SEARCH_H
#define ATMOST_CHECKER_RANDOM_SEARCH_H

#include "checker/workers.h"

/*
 * Run random schedules of at most `depth` steps each, until workers->stop is
 * set or a property is violated.  Successive schedules use three policies in
 * turn.  The first policy draws every process with equal probability.  The
 * second policy draws bursts of steps of one process.  The third policy uses
 * priorities that change at a few random points (PCT).
 */
void random_search_run(const struct question *q, struct workers *workers,
		       uint64_t seed, unsigned depth);

#endif
