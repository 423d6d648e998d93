/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection to the etcd of an address, for one request at a time (ask.h).
 * One thread uses a connection. */
#ifndef ATMOST_CLUSTER_CONNECTION_H
#define ATMOST_CLUSTER_CONNECTION_H

#include "cluster/address.h"

struct connection {
	const struct address *address;
	struct wire *wire;
	/* A request waits for its answer until this moment; CLOCK_BOOTTIME in
	 * nanoseconds.  At first it waits for ever. */
	int64_t until;
	/* If it is not 0, each new request gets so many nanoseconds: the moment
	 * is set anew. */
	int64_t patience;
	struct exchange exchange; /* the request and its answer */
	struct complaint why;     /* of the last call that failed */
	/* A request does not wait any more when this descriptor is ready; NULL:
	 * none. */
	struct curl_waitfd *interrupt;
	bool owns_wire;
};

/* Opens a connection; sends nothing.  The address must outlive it.  Returns 0
 * or ATMOST_ENOMEM. */
int connection_open(struct connection *, const struct address *,
		    struct complaint *);

/* Uses a wire that the caller has and closes itself, such as that of struct
 * etcd before its passage. */
void connection_borrow(struct connection *, const struct address *,
		       struct wire *);

void connection_close(struct connection *);

/* Returns the body of the next request, empty. */
struct text *connection_body(struct connection *);

/* Sets the moment for a new request. */
void connection_begin(struct connection *);

/*
 * Sends an exchange of the caller until it has an answer or the moment has
 * come.  Afterwards it is not under way, and its result is returned.
 */
enum wire_result connection_finish(struct connection *, struct exchange *);

#endif
