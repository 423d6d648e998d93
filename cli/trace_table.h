/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a trace: one row per step, with one column per process. */
#ifndef ATMOST_CLI_TRACE_TABLE_H
#define ATMOST_CLI_TRACE_TABLE_H

#include "checker/check.h"
#include "cli/json.h"

/* With `costs`, three columns say whether the access of a step is remote. */
void trace_table_print(const struct lab_step *step, size_t count, unsigned n,
		       bool costs);

/* Prints how many remote references each process made. */
void trace_table_print_costs(const struct lab_step *step, size_t count,
			     unsigned n);

/* Writes the steps as an array. */
void trace_table_write_json(struct json *j, const char *key,
			    const struct lab_step *step, size_t count);

#endif
