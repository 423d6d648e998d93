/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pools for tests over a real etcd.  All tests of a program use one etcd, and
 * each test has a pool of its own.
 */
#ifndef ATMOST_TESTS_CLUSTER_POOL_H
#define ATMOST_TESTS_CLUSTER_POOL_H

#include "memory/etcd/passage.h"

enum { POOL_LEASE = 60 }; /* seconds: longer than any test takes */

/* Setup and teardown of a group of tests: they start and stop etcd. */
int pool_start_node(void **state);
int pool_stop_node(void **state);

/* "host:port" of that etcd. */
const char *pool_node(void);

/* The number of the pool that was made last, and a new number. */
unsigned pool_last(void);
unsigned pool_new(void);

/* Opens a view of the group pool with this number, for three slots.  Requests
 * go to `address`, or to etcd itself if it is NULL. */
struct etcd *pool_open(unsigned number, const char *address, unsigned seconds);

/* A new pool with a lease. */
struct etcd *pool_begin(void);
/* Ends the lease and closes the view. */
void pool_end(struct etcd *);

/* Transactions of one write. */
int pool_put(struct etcd *, struct word *, uint64_t value);
int pool_drop(struct etcd *, struct word *);

static inline struct word *word_at(struct etcd *etcd, enum store_range range,
				   unsigned row)
{
	return etcd->words + store_at(range, etcd->shape.k_max, etcd->shape.n) +
	       row;
}

static inline struct word *slot(struct etcd *etcd, unsigned i)
{
	return word_at(etcd, STORE_SLOT, i);
}

/* The ticket of the view's own process. */
static inline struct word *ticket(struct etcd *etcd)
{
	return word_at(etcd, STORE_WAITER, 0);
}

static inline struct word *pool(struct etcd *etcd)
{
	return word_at(etcd, STORE_POOL, 0);
}

#endif
