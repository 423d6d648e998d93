/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_STATUS_JSON_H
#define ATMOST_CLI_STATUS_JSON_H

#include "cli/json.h"
#include "cli/pool_view.h"

/*
 * Prints a pool, or all pools if `pool` is NULL, as a JSON document.  Returns
 * an exit code.
 */
int status_json(const char *pool);

/* Writes one pool. */
void status_json_write(struct json *j, const char *name,
		       const struct pool_view *view);

#endif
