/* SPDX-License-Identifier: BSD-2-Clause */
/* The holders and waiters of a pool in etcd. */
#ifndef ATMOST_CLUSTER_SEATS_H
#define ATMOST_CLUSTER_SEATS_H

#include "cluster/member_text.h"
#include "cluster/pool.h"

struct cluster_seat {
	int slot;          /* -1: the member waits */
	unsigned position; /* in the queue, from 1; 0: inside */
	uint64_t session;  /* group pools only, else 0 */
	uint64_t token;    /* of a holder; 0: the member waits */
	int64_t lease;
	/* How many seconds the lease was granted for, and how many are left if
	 * the member does not renew it.  0: not known, or the lease is gone. */
	int64_t granted, left;
	struct member_text member; /* all empty if its key is missing */
};

/*
 * Stores the seats of a look in *seats, holders by slot, then waiters by
 * position, and returns 0; the caller frees them.  There are holders + waiters
 * of them.  Returns ATMOST_ENOMEM.
 */
int cluster_seats(struct connection *, const struct cluster_look *,
		  struct cluster_seat **seats);

/*
 * Asks etcd for `granted` and `left` of the holders and of the waiters that may
 * be next, up to position k.  Sends one request for each of these members.
 * Returns 0 or an error of ask.h.
 */
int cluster_seats_ask_leases(struct connection *, const struct cluster_look *,
			     struct cluster_seat *seats);

#endif
