/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the holders and waiters of a pool in etcd. */
#ifndef ATMOST_CLI_CLUSTER_VIEW_H
#define ATMOST_CLI_CLUSTER_VIEW_H

#include "cli/cluster_open.h"
#include "cli/pool_view.h"
#include "cluster/seats.h"

/*
 * Reads the pool of this name.  If `leases` is true, also asks how long the
 * leases of its members last.  Returns 0, or an error after writing
 * place->connection.why.  After 0 the caller must call pool_view_free, and then
 * cluster_look_free.
 */
int cluster_view_read(struct place *, const char *pool, bool leases,
		      struct pool_view *view, struct cluster_look *look);

#endif
