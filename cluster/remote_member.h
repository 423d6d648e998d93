/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A member of a pool of several machines.
 *
 * A step of memory/etcd blocks its thread until etcd answers, and leases must be
 * kept alive whatever the member's thread does.  So each member has a server: a
 * thread that uses etcd for it (serve.h).  The member's thread (member.h) posts
 * requests and sleeps on a futex; it needs no network and little stack.
 */
#ifndef ATMOST_CLUSTER_REMOTE_MEMBER_H
#define ATMOST_CLUSTER_REMOTE_MEMBER_H

#include "cluster/library.h"

#include <pthread.h>

enum { MEMBER_LABEL_ROOM = 32 };

/* What the member asks for.  The server reads it while the turn is
 * TURN_ENTERING or TURN_CANCELED. */
struct entry_request {
	uint64_t session;
	int64_t until; /* CLOCK_BOOTTIME in nanoseconds; INT64_MAX: never */
	bool no_wait;  /* give up if the member would have to wait for others;
			  etcd must answer until the moment */
	char label[MEMBER_LABEL_ROOM];
};

struct remote_member {
	const struct remote_pool *pool;
	pthread_t server;
	uint32_t turn; /* turn.h */
	int wake;      /* an eventfd: the turn has changed for the server */
	int lapse;     /* a timerfd: the lease is about to end, or has */
	char label[MEMBER_LABEL_ROOM];
	struct entry_request request;

	/* Written by the server. */
	int error;            /* TURN_FAILED */
	struct complaint why; /* of the error; may be empty */
	int slot;             /* TURN_INSIDE */
	uint64_t token;       /* TURN_INSIDE */
	int64_t until;        /* TURN_INSIDE; 0: the slot is lost */
	bool evicted;         /* after TURN_LEAVING: the slot was lost */
};

#endif
