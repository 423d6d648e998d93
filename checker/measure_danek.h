/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measurements by the runs of danek_runs.h, which are named like adversaries:
 * danek-3.1, danek-5.1 and impatient.  They do not look for the worst passage:
 * they show what leaving must cost, and how many processes get in together.
 */
#ifndef ATMOST_CHECKER_MEASURE_DANEK_H
#define ATMOST_CHECKER_MEASURE_DANEK_H

#include "checker/lab_types.h"
#include "checker/question.h"

/* Whether this is the name of such a run; false also for NULL. */
bool measure_danek_has(const char *adversary);

/* False: the run needs something that the algorithm or the shape does not
 * have, and `error` says what. */
bool measure_danek_fits(const struct question *q, const char *run, char *error);

/* False: no memory. */
bool measure_danek(const struct question *q, const char *run,
		   struct lab_row *row);

#endif
