/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_STATUS_JSON_H
#define ATMOST_CLI_STATUS_JSON_H

/*
 * Prints a pool, or all pools if `pool` is NULL, as a JSON document.  Returns
 * an exit code.
 */
int status_json(const char *pool);

#endif
