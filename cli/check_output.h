/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the checker's answer as text and as JSON. */
#ifndef ATMOST_CLI_CHECK_OUTPUT_H
#define ATMOST_CLI_CHECK_OUTPUT_H

#include "checker/check.h"

/* The question tells how the schedules were searched; it is NULL for the replay
 * of one schedule. */
void check_output_print(const struct lab_answer *a,
			const struct lab_question *q);

/* Returns false if there is no memory. */
bool check_output_print_json(const struct lab_answer *a,
			     const struct lab_question *q);

#endif
