/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to the etcd of an address, for one request at a time (ask.h).
 * One thread uses a connection. */
#ifndef ATMOST_CLUSTER_CONNECTION_H
#define ATMOST_CLUSTER_CONNECTION_H

#include "cluster/address.h"

struct connection {
	const struct address *address;
	struct wire *wire;
	/* A request waits for its answer until this time; CLOCK_BOOTTIME in
	 * nanoseconds.  In a new connection a request waits for ever. */
	int64_t until;
	/* If this is not 0, connection_begin sets `until` to this number of
	 * nanoseconds from now. */
	int64_t patience;
	struct exchange exchange; /* the request and its answer */
	struct complaint why;     /* of the last call that failed */
	/* A request stops waiting when this descriptor is ready; NULL: there is
	 * no descriptor. */
	struct curl_waitfd *interrupt;
	bool owns_wire;
};

/* Opens a connection; sends nothing.  The address must outlive it.  Returns 0
 * or ATMOST_ENOMEM. */
int connection_open(struct connection *, const struct address *,
		    struct complaint *);

/* Makes a connection that uses the caller's wire, such as the wire of a struct
 * etcd before its passage.  The caller closes the wire itself. */
void connection_borrow(struct connection *, const struct address *,
		       struct wire *);

void connection_close(struct connection *);

/* Returns the body of the next request, empty. */
struct text *connection_body(struct connection *);

/* Sets `until` for a new request. */
void connection_begin(struct connection *);

/*
 * Sends an exchange of the caller until etcd has answered or the time `until`
 * has come.  Returns the result of the exchange, which is then no longer under
 * way.
 */
enum wire_result connection_finish(struct connection *, struct exchange *);

#endif
