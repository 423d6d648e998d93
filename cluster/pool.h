/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a pool in etcd is: its keys R/pool and R/names, and the keys of its
 * members.  memory/etcd/keys.h lists the keys.
 *
 * R/names has the slot names, separated by commas; the key is absent if the
 * slots have no names.  etcd makes a transaction that changes the names only
 * while no member holds a slot or waits.  The transaction writes R/pool as
 * well.
 *
 * All functions return 0 or an error of ask.h, and write connection->why; those
 * that say so return further errors.
 */
#ifndef ATMOST_CLUSTER_POOL_H
#define ATMOST_CLUSTER_POOL_H

#include "cluster/connection.h"
#include "memory/etcd/answer.h"
#include "memory/etcd/keys.h"

enum {
	CLUSTER_K_MOST = 10000,    /* slots have four digits */
	CLUSTER_NAMES_MOST = 65535 /* bytes of all slot names */
};

/* What a pool is, or is to be. */
struct cluster_pool {
	bool groups;
	bool paused;
	unsigned k;        /* 0: no limit; in a group pool only */
	const char *names; /* slot names; NULL: none */
};

/* A pool as it was at one instant. */
struct cluster_look {
	struct cluster_pool pool; /* names: memory of `keys` */
	int64_t revision;         /* the instant */
	int64_t modified;         /* the revision of R/pool */
	int64_t names_modified;   /* of R/names; 0: absent */
	unsigned holders, waiters, members;
	char root[KEY_ROOM];   /* PREFIX/POOL */
	struct seen_keys keys; /* of the members, and R/pool and R/names */
};

/*
 * Looks at the pool.  After 0 the caller must call cluster_look_free.  Also:
 *   ATMOST_ENAME      the name is not valid
 *   ATMOST_ENOTFOUND  there is no such pool
 *   ATMOST_EFORMAT    this version of atmost cannot read R/pool
 */
int cluster_look(struct connection *, const char *pool, struct cluster_look *);
void cluster_look_free(struct cluster_look *);

/* Creates the pool, unless it exists.  In both cases the caller then looks at
 * the pool.  Also returns ATMOST_ENAME and ATMOST_ESHAPE. */
int cluster_create(struct connection *, const char *pool,
		   const struct cluster_pool *);

/*
 * Changes the settings of the pool, if the pool is still as the look saw it.
 *   ATMOST_ENOTFOUND  the pool has changed since the look: look again
 *   ATMOST_ESHAPE     the settings are not possible
 *   ATMOST_EBUSY      only with `unused`, or if the names differ: a member
 *                     holds a slot or waits
 */
int cluster_change(struct connection *, const char *pool,
		   const struct cluster_look *, const struct cluster_pool *,
		   bool unused);

/*
 * For a holder of a pool with slot names: returns 0 if the names are still
 * those of the look, and ATMOST_ENOTFOUND if the pool got other names before
 * this holder arrived.  Names do not change while a member holds a slot or
 * waits.
 */
int cluster_names_hold(struct connection *, const char *pool,
		       const struct cluster_look *);

#endif
