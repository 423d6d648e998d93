/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pools in etcd that a command's ancestors hold a slot of: ATMOST_HELD has
 * their addresses, separated by spaces.  /proc does not show the processes of
 * other machines, so without this variable a command could not see that it
 * waits for its own ancestor.
 */
#ifndef ATMOST_CLI_CLUSTER_HELD_H
#define ATMOST_CLI_CLUSTER_HELD_H

#include "cluster/address.h"

/* True: ATMOST_HELD has this pool.  Two addresses mean the same pool if they
 * have the same prefix, the same name of the pool, and an endpoint in
 * common. */
bool cluster_held_has(const struct address *address, const char *pool);

/* Adds the pool to ATMOST_HELD of this process.  False: out of memory. */
bool cluster_held_add(const struct address *address, const char *pool);

#endif
