/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_STATUS_JSON_H
#define ATMOST_CLI_STATUS_JSON_H

/* Prints a pool as a JSON document; NULL: all pools.  Returns an exit code. */
int status_json(const char *pool);

#endif
