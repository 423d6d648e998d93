/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pool in etcd, as one process uses it: the steps of memory/mem.h, section "A
 * store" (steps.c), and what the caller of an algorithm does between them.
 *
 * A step that waits for etcd waits until the moment that etcd_limit has set, and
 * no longer than its lease lasts.  If the moment comes first, the step gives the
 * lease up and returns MEM_LAPSED.  Meanwhile the lease is kept alive.
 *
 * One thread uses a struct etcd.
 */
#ifndef ATMOST_MEMORY_ETCD_ETCD_H
#define ATMOST_MEMORY_ETCD_ETCD_H

#include "algorithm.h"
#include "lease.h"
#include "transaction_request.h"
#include "watch.h"
#include "wire.h"

#include <setjmp.h>

struct etcd_settings {
	struct wire_address address;
	const char *root;   /* PREFIX/POOL */
	bool groups;        /* a group pool */
	unsigned k;         /* until R/pool says otherwise; 0: no limit */
	unsigned seconds;   /* how long a lease lasts */
	const char *member; /* the value of the member's key */
	bool ahead;         /* asks for the next passage's lease during the
			       present one */
	uint64_t *own;      /* the own words of the process */
	/* A far waiter watches the whole pool, as a near one does (queue.h);
	 * benches compare. */
	bool watch_all;
};

/* Why the last step could not be made. */
struct etcd_trouble {
	/* WIRE_PENDING: nothing, or no definite answer yet. */
	enum wire_result kind;
	int code; /* WIRE_REFUSED: gRPC's code */
	char message[WIRE_MESSAGE_ROOM];
};

struct etcd {
	struct process process; /* the first field: a step finds the struct */
	struct shape shape;
	struct etcd_settings settings;
	char *member;
	struct wire *wire;
	struct replica replica;
	bool fresh; /* a watch from the replica's revision on has no gap */
	struct watch watch;
	/* The lease of this passage and, granted ahead, that of the next one. */
	struct lease *lease, *next;
	struct lease two_leases[2];
	int64_t until;
	struct etcd_trouble trouble;
	struct exchange exchange;
	struct transaction_form form;
	struct queue_part part; /* what the last request asked for */
	struct word *words;     /* what algorithms are called with */
	int64_t *leases;        /* of each row of words */
	/* Where a step goes that cannot go on (passage.h); NULL: it returns to
	 * the algorithm. */
	jmp_buf *escape;
};

/* Returns NULL if the root is too long, memory runs out, or libcurl cannot be
 * used.  Sends nothing. */
struct etcd *etcd_open(const struct etcd_settings *);

/* Ends the leases, if etcd answers before the moment, and frees all. */
void etcd_close(struct etcd *, int64_t until);

/* Steps wait until this moment (CLOCK_BOOTTIME in nanoseconds); at first they
 * wait for ever. */
void etcd_limit(struct etcd *, int64_t until);

/*
 * Waits until a survey would see something else, the lease has ended, a
 * descriptor is ready, or the moment has come; false: only the moment has come.
 */
bool etcd_wait(struct etcd *, int64_t until, struct curl_waitfd *,
	       unsigned count);

/* A holder calls this: from now on only its slot is watched.  The token is the
 * stamp of the slot. */
void etcd_hold(struct etcd *, unsigned slot, uint64_t token);

/* Looks at all keys of the pool at one instant, those of members, too.  Returns
 * false if etcd did not answer; otherwise the caller frees *seen. */
bool etcd_status(struct etcd *, struct seen_keys *seen);

/* For steps.c.  */

/* Sends, receives and keeps the leases alive, until something has happened or
 * the moment has come; then it returns false. */
bool etcd_pump(struct etcd *, int64_t until, struct curl_waitfd *,
	       unsigned count);

/* Writes the words anew from the replica. */
void etcd_show(struct etcd *);

/* The limit of the pool as it was seen last; 0: none. */
uint64_t etcd_k(const struct etcd *);

/*
 * Sends the transaction in etcd->exchange until the moment.  WIRE_DONE: *made
 * and *seen are the answer.  WIRE_PENDING: the moment has come.
 */
enum wire_result etcd_ask(struct etcd *, int64_t until, int *made,
			  struct seen_keys *seen);

#endif
