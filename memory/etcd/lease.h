/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lease of a passage.
 *
 * The server chooses the id, so a grant that comes late makes another lease and
 * cannot bring an ended one back.  Everything that a passage puts belongs to its
 * lease; when the lease ends, all of it vanishes at one revision.
 *
 * The lease lasts at least until valid_until by our own clock: the time before
 * the answered attempt was sent, plus what the server granted.  The process
 * ignores an answer that comes later than that.
 */
#ifndef ATMOST_MEMORY_ETCD_LEASE_H
#define ATMOST_MEMORY_ETCD_LEASE_H

#include "wire.h"

struct lease {
	int64_t id;          /* 0: none */
	int64_t valid_until; /* CLOCK_BOOTTIME in nanoseconds */
	int64_t seconds;     /* what the server granted */
	int64_t keep_after;  /* etcd refused a keepalive: none before this */
	struct exchange grant, keep, revoke;
};

/* Asks for a lease that lasts for this number of seconds.  Returns at once. */
void lease_ask(struct wire *, struct lease *, unsigned seconds);
/* Whether the answer to lease_ask is still to come. */
bool lease_pending(const struct lease *);

/*
 * Takes the answers that wire_pump has got: the lease is there or prolonged, or
 * its id becomes 0 because a keepalive says that the lease is gone.  If etcd
 * refuses, returns the exchange that says why; otherwise NULL.
 */
const struct exchange *lease_take(struct wire *, struct lease *);

/* Prolongs the lease; returns at once. */
void lease_keep(struct wire *, struct lease *);
/* The moment at which the next keepalive is due. */
int64_t lease_keep_at(const struct lease *);

/* Returns whether the keys of the lease are certainly still ours. */
bool lease_is_valid(const struct lease *);

/*
 * Revokes the lease, and waits for the answer at most until this time.  Returns
 * true if the lease has ended: etcd answered 200, or 404 with the code of a
 * lease that was not found.  Otherwise the lease ends by itself, later.
 */
bool lease_revoke(struct wire *, struct lease *, int64_t until);

/* The same, but does not wait: if the request is lost, the lease ends by itself,
 * later. */
void lease_abandon(struct wire *, struct lease *);

/* Frees memory; the lease goes on. */
void lease_free(struct lease *);

#endif
