/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes measurements by the runs of danek_runs.h.  A user selects a run by
 * name, as if it were an adversary: danek-3.1, danek-5.1, danek-6.1.3 or
 * impatient.  The runs do not look for the worst passage.  They measure the
 * cost of a leave, the number of processes that are inside together, and the
 * cost of waiting while other processes leave, or while another process gives
 * up.
 */
#ifndef ATMOST_CHECKER_MEASURE_DANEK_H
#define ATMOST_CHECKER_MEASURE_DANEK_H

#include "checker/lab_types.h"
#include "checker/question.h"

/*
 * Returns whether this is the name of one of these runs; returns false for
 * NULL.
 */
bool measure_danek_has(const char *adversary);

/* Returns false if the run needs something that the algorithm or the shape does
 * not have; `error` then says what. */
bool measure_danek_fits(const struct question *q, const char *run, char *error);

/* Returns false if there is no memory. */
bool measure_danek(const struct question *q, const char *run,
		   struct lab_row *row);

#endif
