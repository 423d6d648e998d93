/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds cycles of the state graph that violate a property.  Most of them are
 * fair: infinite runs in which one process is busy for ever, or in which a
 * process is busy and no process enters or completes a leave.
 */
#ifndef ATMOST_CHECKER_FAIR_CYCLES_H
#define ATMOST_CHECKER_FAIR_CYCLES_H

#include "checker/graph.h"
#include "checker/workers.h"

/*
 * Look for violations of CYCLE_PROPERTIES.  The first violation
 * becomes workers->found: a path to the cycle, then the cycle.  If these have
 * more than `most` choices, the violation is recorded without a schedule.
 */
void fair_cycles_find(const struct graph *g, const struct question *q,
		      uint32_t most, struct workers *workers);

#endif
