/* SPDX-License-Identifier: BSD-2-Clause */
/* What `atmost run` accepts of a pool that is there, wherever the pool is. */
#ifndef ATMOST_CLI_POOL_RULES_H
#define ATMOST_CLI_POOL_RULES_H

#include "cli/pool_make.h"

/* Refuses a request for settings that a pool never changes.  Returns 0, or an
 * exit code after an error message. */
int pool_rules_refuse(const struct atmost_shape *there,
		      const struct pool_request *request);

/* Whether the pool has another k, or other slot names, than the request asks
 * for. */
bool pool_rules_differ(const struct atmost_shape *there,
		       const struct pool_request *request);

/* Called if the pool is in use and therefore keeps its settings.  Returns 0
 * after a warning, or an exit code after an error message. */
int pool_rules_keep(const struct atmost_shape *there,
		    const struct pool_request *request);

#endif
