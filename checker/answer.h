/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills in the answer to a question. */
#ifndef ATMOST_CHECKER_ANSWER_H
#define ATMOST_CHECKER_ANSWER_H

#include "checker/question.h"
#include "checker/world.h"

/* Copy the completed question into the answer. */
void answer_set_question(struct lab_answer *a, const struct question *q,
			 unsigned steps_of);

/* Fill in the schedule and the steps of a violation of property a->first.  The
 * last `loop` choices of the path are the cycle; loop is 0 if there is no
 * cycle. */
void answer_set_path(struct lab_answer *a, const struct question *q,
		     const struct choice *path, size_t length, size_t loop);

/* Replay a schedule and fill in the whole answer.  Returns false if the
 * schedule cannot be replayed; `error` then says why. */
bool answer_replay(struct lab_answer *a, const char *schedule, char *error);

#endif
