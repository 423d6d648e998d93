/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The keys and ranges of one pool, for requests about all of it.
 *
 * No request is about all keys that begin with R/: if R is the prefix of other
 * pools, their keys begin with R/ as well.
 */
#ifndef ATMOST_CLUSTER_POOL_KEYS_H
#define ATMOST_CLUSTER_POOL_KEYS_H

#include "cluster/connection.h"
#include "memory/etcd/keys.h"

enum { POOL_RANGES = 3 }; /* slots, waiters, members */

struct pool_keys {
	char root[KEY_ROOM];
	char pool[KEY_ROOM], names[KEY_ROOM];
	char range[POOL_RANGES][KEY_ROOM];
};

/* Returns 0, or ATMOST_ENAME after writing connection->why. */
int pool_keys_of(struct pool_keys *, struct connection *, const char *pool);

/* Adds operations that read all keys of the pool.  Returns their number. */
unsigned pool_keys_ranges(struct text *, const struct pool_keys *);

/* Adds operations that delete all keys of the pool.  Returns their number. */
unsigned pool_keys_deletes(struct text *, const struct pool_keys *);

/* Adds two guards after other guards: no slot is taken, and no member waits. */
void pool_keys_guard_unused(struct text *, const struct pool_keys *);

#endif
