/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes pools for commands: creates new pools, and replaces an unused pool by a
 * pool with other settings.
 */
#ifndef ATMOST_CLI_POOL_MAKE_H
#define ATMOST_CLI_POOL_MAKE_H

#include <atmost/atmost.h>
#include <stdbool.h>

enum { POOL_GROUP_MEMBERS = 256 }; /* also the largest k of a group pool */

/* The settings of a pool that a user asks for. */
struct pool_request {
	const char *name;
	unsigned k;            /* 0: not given */
	const char *names;     /* slot names; NULL: not given */
	bool group;            /* a group pool */
	const char *algorithm; /* NULL: not given */
	bool strict;           /* run: a pool in use must have the given k */
};

/* Creates the pool, or opens it if it has these settings.  Returns 0 or an
 * error of the library. */
int pool_make(struct atmost **pool, const struct pool_request *request);

/*
 * Replaces an open pool, which has the shape `there`, by a new pool.  The new
 * pool keeps the settings that the request leaves out.  The caller still has to
 * close the old pool.  Returns 0 or an error of the library: ATMOST_EBUSY if a
 * process has joined the old pool.  When this function returns 0, another
 * process may already have replaced the new pool.
 */
int pool_remake(struct atmost *pool, const struct atmost_shape *there,
		const struct pool_request *request);

/* Returns whether a pool of this shape has an algorithm that the command
 * chooses if the user names none. */
bool pool_has_default_algorithm(const struct atmost_shape *shape);

#endif
