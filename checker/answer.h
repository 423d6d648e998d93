/* SPDX-License-Identifier: BSD-2-Clause */
/* Filling in the answer to a question. */
#ifndef ATMOST_CHECKER_ANSWER_H
#define ATMOST_CHECKER_ANSWER_H

#include "checker/question.h"
#include "checker/world.h"

/* Fill in the question as it was understood. */
void answer_set_question(struct lab_answer *a, const struct question *q,
			 unsigned steps_of);

/* Fill in the schedule and the steps of a violation of property a->first; the
 * last `loop` choices of the path are its cycle. */
void answer_set_path(struct lab_answer *a, const struct question *q,
		     const struct choice *path, size_t length, size_t loop);

/* Fill in everything by replaying a schedule; false: it does not fit, and
 * `error` says where. */
bool answer_replay(struct lab_answer *a, const char *schedule, char *error);

#endif
