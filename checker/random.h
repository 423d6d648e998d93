/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CHECKER_RANDOM_H
#define ATMOST_CHECKER_RANDOM_H

#include "checker/control.h"

/*
 * Random schedules of at most `depth` steps each, until told to stop or a
 * property is violated.  In turn: any process with equal chance; bursts of one
 * process; and priorities that change at a few random points (PCT).
 */
void random_run(const struct question *q, struct control *c, uint64_t seed,
		unsigned depth);

#endif
