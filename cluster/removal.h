/* SPDX-License-Identifier: BSD-2-Clause */
/* Removes pools, and what broken programs left in them.  Errors are those of
 * pool.h. */
#ifndef ATMOST_CLUSTER_REMOVAL_H
#define ATMOST_CLUSTER_REMOVAL_H

#include "cluster/pool.h"

/* Removes the pool if no member holds a slot or waits.  Otherwise returns
 * ATMOST_EBUSY; then *look has the numbers of holders and waiters, and the
 * caller must free it. */
int cluster_remove_unused(struct connection *, const char *pool,
			  struct cluster_look *look);

/*
 * Ends the leases of all members and removes all keys of the pool, whatever
 * they are.  *members becomes the number of leases that the call has ended.
 * Holders notice the loss and stop their commands.
 */
int cluster_remove(struct connection *, const char *pool, unsigned *members);

/*
 * Finds keys of slots and waiters that no member owns.  Deletes such a key if
 * it has no lease, and revokes its lease otherwise.  Only a broken program
 * leaves such keys.
 */
struct cluster_repair {
	unsigned deleted, revoked;
};
int cluster_repair(struct connection *, const char *pool,
		   struct cluster_repair *);

#endif
