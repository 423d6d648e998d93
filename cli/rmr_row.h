/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a row of `atmost rmr` as text and as JSON. */
#ifndef ATMOST_CLI_RMR_ROW_H
#define ATMOST_CLI_RMR_ROW_H

#include "checker/check.h"
#include "cli/json.h"

const char *rmr_row_model_name(enum lab_model model);

/* Returns true if the measured cost exceeds a stated bound. */
bool rmr_row_is_above(const struct lab_row *r);

void rmr_row_print_heading(int name_width);
void rmr_row_print(int name_width, const struct lab_measure *m,
		   const struct lab_row *r);

/* Writes the row as an element of an array. */
void rmr_row_write_json(struct json *j, const struct lab_measure *m,
			const struct lab_row *r);

#endif
