/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cluster_shape.h"

struct atmost_shape cluster_shape(const struct cluster_pool *pool)
{
	return (struct atmost_shape){
		.kind = pool->groups ? ATMOST_GROUP : ATMOST_ASSIGNMENT,
		.k = pool->k,
		.k_max = CLUSTER_K_MOST,
		.algorithm = pool->groups ? "ledger-room" : "ledger",
		.names = pool->names,
	};
}
