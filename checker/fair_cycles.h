/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds fair cycles of the state graph.  They are infinite runs in which one
 * process tries or leaves for ever, or in which no process enters or completes
 * a leave.
 */
#ifndef ATMOST_CHECKER_FAIR_CYCLES_H
#define ATMOST_CHECKER_FAIR_CYCLES_H

#include "checker/graph.h"
#include "checker/workers.h"

/* Look for violations of no-starvation and no-deadlock.  The first violation
 * becomes workers->found: a path to the cycle, then the cycle. */
void fair_cycles_find(const struct graph *g, const struct question *q,
		      struct workers *workers);

#endif
