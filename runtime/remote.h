/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pools of several machines, which are kept in etcd.
 *
 * libatmost-etcd does the work (cluster/table.h); the functions here load it,
 * call it, and turn its failures into errors of this library.  struct atmost has
 * the calls of such a pool.
 */
#ifndef ATMOST_RUNTIME_REMOTE_H
#define ATMOST_RUNTIME_REMOTE_H

#include "runtime/pool.h"

/* Returns true if the name of a pool is an address. */
bool remote_is_address(const char *name);

/* Does the work of atmost_open, and of atmost_unlink and
 * atmost_unlink_unused. */
int remote_open(struct atmost **pool, const char *address,
		const struct atmost_shape *wanted);
int remote_remove(const char *address, bool unused_only);

/* Do the work of the calls with these names.  The caller has called
 * pool_arrive. */
int remote_inspect(struct atmost *pool, struct atmost_shape *shape);
int remote_resize(struct atmost *pool, unsigned k);
int remote_status(struct atmost *pool, struct atmost_seat *seats,
		  unsigned capacity, struct atmost_totals *totals);

#endif
