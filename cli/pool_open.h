/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens the pool of `atmost run`, or creates it. */
#ifndef ATMOST_CLI_POOL_OPEN_H
#define ATMOST_CLI_POOL_OPEN_H

#include <atmost/atmost.h>

enum { POOL_GROUP_MEMBERS = 256 }; /* also the largest k */

/* The options of `atmost run` that describe a pool. */
struct pool_request {
	const char *name;
	unsigned k;            /* 0: not given */
	unsigned names;        /* number of slot names; 0: none are given */
	const char *group;     /* the session; NULL: not a group pool */
	const char *algorithm; /* NULL: not given */
};

/* Returns 0, or an exit code after an error message. */
int pool_open(struct atmost **pool, const struct pool_request *request);

#endif
