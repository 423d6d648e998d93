/* SPDX-License-Identifier: BSD-2-Clause */
/* Removes pools, and what broken programs left in them.  Errors are those of
 * pool.h. */
#ifndef ATMOST_CLUSTER_REMOVAL_H
#define ATMOST_CLUSTER_REMOVAL_H

#include "cluster/pool.h"

/* Removes the pool if no member holds a slot or waits; otherwise ATMOST_EBUSY,
 * and *look says how many, which the caller must free. */
int cluster_remove_unused(struct connection *, const char *pool,
			  struct cluster_look *look);

/*
 * Ends the leases of all members and removes all keys of the pool, whatever
 * they are.  *members becomes the number of leases that it has ended.  Holders
 * notice the loss and stop their commands.
 */
int cluster_remove(struct connection *, const char *pool, unsigned *members);

/*
 * Finds slots and waiters that no member owns: keys without a lease are
 * deleted, and leases without a key of a member are revoked.  Only a broken
 * program leaves such keys.
 */
struct cluster_repair {
	unsigned deleted, revoked;
};
int cluster_repair(struct connection *, const char *pool,
		   struct cluster_repair *);

#endif
