/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_CLUSTER_SHAPE_H
#define ATMOST_CLI_CLUSTER_SHAPE_H

#include "cluster/pool.h"

#include <atmost/atmost.h>

/* Returns the settings of a pool in etcd as pools of one machine have them.
 * The names are those in the memory of *pool. */
struct atmost_shape cluster_shape(const struct cluster_pool *pool);

#endif
