/* SPDX-License-Identifier: BSD-2-Clause */
/* The pools of a prefix. */
#ifndef ATMOST_CLUSTER_LIST_H
#define ATMOST_CLUSTER_LIST_H

#include "cluster/connection.h"

/*
 * Stores the names of the pools in *names, sorted, and ends them with NULL; the
 * caller frees them with cluster_list_free.  Skips keys that do not belong to a
 * pool.  Returns 0 or an error of ask.h.
 */
int cluster_list(struct connection *, char ***names);
void cluster_list_free(char **names);

#endif
