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
	bool impatient;     /* passages never wait (try.h) */
	bool ahead;         /* asks for the next passage's lease during the
			       present one */
	uint64_t *own;      /* the own words of the process */
	/* A far waiter watches the whole pool, as a near waiter does (queue.h);
	 * benches compare the two. */
	bool watch_all;
};

/* Why the last step could not be made. */
struct etcd_trouble {
	/* WIRE_PENDING: nothing, or no definite answer yet. */
	enum wire_result kind;
	int code; /* WIRE_REFUSED: gRPC's code */
	char message[WIRE_MESSAGE_ROOM];
};

/*
 * What the caller does while a step waits for etcd.  A step that waits also
 * waits for these descriptors; it calls `attend` when one of them is ready, and
 * when the moment `at` has come.  If `attend` returns true, the step stops, as
 * at its limit.
 */
struct etcd_attention {
	bool (*attend)(void *context); /* NULL: steps wait for etcd alone */
	void *context;
	struct curl_waitfd *fds;
	unsigned count;
	int64_t at;
};

struct etcd {
	struct process process; /* first, so that a step finds the struct */
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
	struct etcd_attention attention; /* the caller may set it */
	struct etcd_trouble trouble;
	bool busy; /* an impatient passage found no slot */
	struct exchange exchange;
	struct transaction_form form;
	struct queue_part part; /* what the last request asked for */
	/* hold_at: when the watch of the slot begins; 0: it has begun.
	 * hold_from: the first revision that it reports. */
	int64_t hold_at, hold_from;
	/* For hold.c.  looking: the exchange asks whether the slot is there.
	 * look_after: the exchange does not ask again before this time. */
	bool looking;
	int64_t look_after;
	struct word *words; /* what algorithms are called with */
	int64_t *leases;    /* of each row of words */
	/* A step that cannot go on jumps here (passage.h).  NULL: the step
	 * returns to the algorithm. */
	jmp_buf *escape;
};

/* Returns NULL if the root is too long, memory runs out, or libcurl cannot be
 * used.  Sends nothing. */
struct etcd *etcd_open(const struct etcd_settings *);

/* Ends the leases, if etcd answers before `until`, and frees all memory. */
void etcd_close(struct etcd *, int64_t until);

/* Asks for the lease of the next passage now, and does not wait for it. */
void etcd_ask_ahead(struct etcd *);

/* The caller has looked at the pool and has seen the limit k.  The next arrival
 * expects this limit, so that its first transaction can succeed. */
void etcd_expect(struct etcd *, unsigned k);

/* Steps wait until this moment (CLOCK_BOOTTIME in nanoseconds); at first they
 * wait for ever. */
void etcd_limit(struct etcd *, int64_t until);

/*
 * Waits until a survey would see something else, the lease has ended, a
 * descriptor is ready, or the moment has come; false: only the moment has come.
 */
bool etcd_wait(struct etcd *, int64_t until, struct curl_waitfd *,
	       unsigned count);

/* A holder calls this: from now on it watches only its slot.  The token is the
 * stamp of the slot.  The watch begins a little later, because a watch costs
 * etcd more than all other requests of a short passage.  It reports all events
 * since the entry. */
void etcd_hold(struct etcd *, unsigned slot, uint64_t token);

/* Sends what etcd_leave sends and does not wait for the answer; the caller must
 * call etcd_leave soon, which waits for it. */
void etcd_leave_ahead(struct etcd *);

/* Looks at all keys of the pool at one instant, including the keys of members.
 * Returns false if etcd did not answer; otherwise the caller frees *seen. */
bool etcd_status(struct etcd *, struct seen_keys *seen);

/* For steps.c.  */

/* Sends, receives and keeps the leases alive, until something has happened or
 * the time `until` has come.  Returns false if only the time has come. */
bool etcd_pump(struct etcd *, int64_t until, struct curl_waitfd *,
	       unsigned count);

/* The same within a step, which also obeys etcd->attention.  Returns false if
 * the time has come or the step must stop. */
bool etcd_pump_step(struct etcd *, int64_t until);

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
