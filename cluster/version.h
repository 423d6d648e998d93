/* SPDX-License-Identifier: BSD-2-Clause */
/* The version of etcd, and what it means for the pools. */
#ifndef ATMOST_CLUSTER_VERSION_H
#define ATMOST_CLUSTER_VERSION_H

#include "cluster/connection.h"
#include "memory/etcd/answer.h"

/* Asks the endpoint that the connection uses now.  Returns false if it does not
 * answer before the connection's moment, or its answer is not etcd's. */
bool version_ask(struct connection *, struct etcd_version *);

/* Returns whether the version is older than 3.4, which does not know our
 * requests. */
bool version_is_too_old(const struct etcd_version *);

/*
 * Before 3.4.31 and 3.5.13, a leader that was stopped or slow may end leases
 * that other nodes have kept alive.  Returns whether the version has this
 * fault, and writes a sentence about it.
 */
bool version_warning(const struct etcd_version *, const char *endpoint,
		     struct complaint *);

#endif
