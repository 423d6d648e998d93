/* SPDX-License-Identifier: BSD-2-Clause */
/* From what a user typed to a question the checker can answer. */
#ifndef ATMOST_CHECKER_ASK_H
#define ATMOST_CHECKER_ASK_H

#include "checker/lab.h"
#include "checker/question.h"

/* Fill in the defaults; false: cannot be asked, and `error` says why. */
bool ask(const struct lab_question *from, struct question *to, char *error);

/* n, k and sessions within what the algorithm can do; else a sentence. */
bool ask_shape(const struct algorithm *a, int n, int k, int sessions,
	       struct shape *shape, char *error);

const struct algorithm *ask_algorithm(const char *name, char *error);

#endif
