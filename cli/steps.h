/* SPDX-License-Identifier: BSD-2-Clause */
/* A schedule step by step: a line each, and in it a column for each process. */
#ifndef ATMOST_CLI_STEPS_H
#define ATMOST_CLI_STEPS_H

#include "checker/check.h"

#include <jansson.h>

void steps_print(const struct lab_step *step, size_t count, unsigned n);

/* NULL: no memory. */
json_t *steps_json(const struct lab_step *step, size_t count);

#endif
