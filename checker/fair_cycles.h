/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fair cycles of the state graph: infinite runs in which a process never gets
 * in, or in which no process does.
 */
#ifndef ATMOST_CHECKER_FAIR_CYCLES_H
#define ATMOST_CHECKER_FAIR_CYCLES_H

#include "checker/graph.h"
#include "checker/workers.h"

/* Look for violations of no-starvation and no-deadlock.  The first one becomes
 * workers->found: a path to the cycle, and the cycle. */
void fair_cycles_find(const struct graph *g, const struct question *q,
		      struct workers *workers);

#endif
