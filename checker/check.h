/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the interface of libatmost-lab for the command.  It offers checks of
 * algorithms and, through the included headers, measurements and the catalogue
 * of algorithms.
 *
 * A check runs in worker processes.  The caller advances the check by slices of
 * time and can show its progress between two slices.
 */
#ifndef ATMOST_CHECKER_CHECK_H
#define ATMOST_CHECKER_CHECK_H

#include "checker/catalogue.h"
#include "checker/lab_types.h"
#include "checker/measure.h"

struct lab_check;

/* Start the check that q describes.  Returns NULL if the check cannot start;
 * `error` then says why. */
LAB_API struct lab_check *lab_check_start(const struct lab_question *q,
					  char *error);

/* Continue the check for about `seconds` seconds.  Returns false if the check
 * is finished. */
LAB_API bool lab_check_advance(struct lab_check *c, double seconds,
			       struct lab_progress *progress);
LAB_API const struct lab_answer *lab_check_answer(const struct lab_check *c);
LAB_API void lab_check_end(struct lab_check *c);

/* Replay a schedule and return the result as a finished check.  Returns NULL if
 * the schedule cannot be replayed; `error` then says why. */
LAB_API struct lab_check *lab_replay(const char *schedule, char *error);

#endif
