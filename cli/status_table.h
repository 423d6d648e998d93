/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_STATUS_TABLE_H
#define ATMOST_CLI_STATUS_TABLE_H

#include "cli/pool_view.h"

#include <stdio.h>

/* Prints the holders and waiters of a pool, or of all pools if `pool` is NULL.
 * Returns an exit code. */
int status_table(FILE *to, const char *pool);

/* Prints one pool. */
void status_table_print(FILE *to, const char *name,
			const struct pool_view *view);

#endif
