/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pools in etcd that a command's ancestors hold a slot of: ATMOST_HELD has
 * their addresses, separated by spaces.  The processes of other machines are not
 * in /proc, so a command could not see otherwise that it waits for its own
 * ancestor.
 */
#ifndef ATMOST_CLI_CLUSTER_HELD_H
#define ATMOST_CLI_CLUSTER_HELD_H

#include "cluster/address.h"

/* True: ATMOST_HELD has this pool.  Two addresses mean the same pool if they
 * have an endpoint, the prefix and the name of the pool in common. */
bool cluster_held_has(const struct address *address, const char *pool);

/* Adds the pool to ATMOST_HELD of this process.  False: out of memory. */
bool cluster_held_add(const struct address *address, const char *pool);

#endif
