/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which part of a long queue a waiter looks at and watches.
 *
 * A pool with k slots lets a waiter in only if fewer than k tickets are before
 * its own.  So a waiter asks etcd for the first 2k+17 tickets and its own.  If
 * its own ticket is one of the first, the waiter knows all tickets before its
 * own: it is a near waiter, and watches the whole pool.  Otherwise it is a far
 * waiter, and watches k tickets before its own, its guards: while the guards
 * are there, the waiter may not enter.  When a guard goes, the far waiter looks
 * again.  The guards are some places before the waiter, so the waiter becomes
 * near before its turn comes.
 *
 * One guard would not be enough: a guard that has died stays until its lease
 * ends, and the waiters behind it may enter meanwhile.
 */
#ifndef ATMOST_MEMORY_ETCD_QUEUE_H
#define ATMOST_MEMORY_ETCD_QUEUE_H

#include "replica.h"

enum {
	/* The number of tickets between a waiter and its nearest guard. */
	QUEUE_DISTANCE = 16,
	/* A pool with more slots would need too many guards. */
	QUEUE_GUARDS_MOST = 64
};

/* The waiters that a request asks for. */
struct queue_part {
	unsigned head;    /* the first ones; 0: all */
	int64_t lease;    /* and that of this lease; 0: none */
	int64_t before;   /* and the last ones with a smaller stamp than this */
	unsigned nearest; /* the number of the latter */
};

/* Returns how many of the first waiters a waiter of a pool with k slots must
 * know; 0: all. */
unsigned queue_head(uint64_t k);

/* Returns whether tickets between the first `head` and the own ticket may be
 * missing in the replica. */
bool queue_is_far(const struct replica *, int64_t own_lease, unsigned head);

/* Returns the stamp of the own ticket; 0: there is none. */
int64_t queue_ticket(const struct replica *, int64_t own_lease);

/* Finds the guards of a far waiter in the replica: the last k tickets that are
 * further away than the distance.  Returns their number. */
unsigned queue_guards(const struct replica *, int64_t own_lease, unsigned k,
		      struct key guards[QUEUE_GUARDS_MOST]);

#endif
