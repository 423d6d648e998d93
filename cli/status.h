/* SPDX-License-Identifier: BSD-2-Clause */
/* How pools are shown. */
#ifndef ATMOST_CLI_STATUS_H
#define ATMOST_CLI_STATUS_H

#include "cli/pool.h"

#include <stdio.h>

/* All pools, or the one of this name (NULL: all); an exit code. */
int status_table(FILE *to, const char *pool);
int status_json(const char *pool);

/* The table again and again, until q or a signal. */
int status_watch(const char *pool);

#endif
