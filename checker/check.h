/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libatmost-lab, as the command uses it: checks of algorithms and, by the
 * headers included here, measurements and the catalogue of algorithms.
 *
 * A check runs in worker processes and is advanced in slices, so that the
 * caller can show its progress.
 */
#ifndef ATMOST_CHECKER_CHECK_H
#define ATMOST_CHECKER_CHECK_H

#include "checker/catalogue.h"
#include "checker/lab_types.h"
#include "checker/measure.h"

struct lab_check;

/* NULL: the question cannot be asked, and `error` says why. */
LAB_API struct lab_check *lab_check_start(const struct lab_question *q,
					  char *error);

/* Continue for about so many seconds.  False: the check is finished. */
LAB_API bool lab_check_advance(struct lab_check *c, double seconds,
			       struct lab_progress *progress);
LAB_API const struct lab_answer *lab_check_answer(const struct lab_check *c);
LAB_API void lab_check_end(struct lab_check *c);

/* Replay a schedule, as a check that is finished; NULL: the schedule does not
 * fit, and `error` says where. */
LAB_API struct lab_check *lab_replay(const char *schedule, char *error);

#endif
