/* SPDX-License-Identifier: BSD-2-Clause */
/* What the checker answered, for people and for programs. */
#ifndef ATMOST_CLI_ANSWER_H
#define ATMOST_CLI_ANSWER_H

#include "checker/check.h"

#include <jansson.h>

/* What was asked, which says how it was searched; NULL: it was replayed. */
void answer_print(const struct lab_answer *a, const struct lab_question *q);
json_t *answer_json(const struct lab_answer *a, const struct lab_question *q);

#endif
