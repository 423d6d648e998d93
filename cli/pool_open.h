/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens the pool of `atmost run`. */
#ifndef ATMOST_CLI_POOL_OPEN_H
#define ATMOST_CLI_POOL_OPEN_H

#include "cli/pool_make.h"

/*
 * Opens the pool, or creates it, and stores its shape.  A pool that no process
 * has joined takes the k and the slot names of the request.  A pool in use
 * keeps its k, and a warning says so; other slot names are then an error.
 * Returns 0, or an exit code after an error message.
 */
int pool_open(struct atmost **pool, const struct pool_request *request,
	      struct atmost_shape *shape);

#endif
