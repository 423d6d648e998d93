/* SPDX-License-Identifier: BSD-2-Clause */
/* Environment and arguments of the command of `atmost run`: ATMOST_SLOT,
 * ATMOST_POOL, ATMOST_NAME, --set and --substitute. */
#ifndef ATMOST_CLI_RUN_ENVIRONMENT_H
#define ATMOST_CLI_RUN_ENVIRONMENT_H

#include "cli/run_options.h"
#include "cli/template.h"

/* Sets the variables in this process, which the command inherits, and replaces
 * the placeholders in the command's arguments.  False: out of memory. */
bool run_environment_set(const struct run_options *run,
			 const struct template_values *values);

/* If a template of the user contains {name}, but the pool's slots have no
 * names, prints a message and returns an exit code; otherwise 0. */
int run_environment_check(const struct run_options *run, const char *names);

#endif
