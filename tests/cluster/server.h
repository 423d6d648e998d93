/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A server that answers requests as a test says, byte for byte: a broken etcd,
 * a proxy, or a way to etcd that loses messages.  The server is a thread, on a
 * free port of the loopback interface.
 */
#ifndef ATMOST_TESTS_CLUSTER_SERVER_H
#define ATMOST_TESTS_CLUSTER_SERVER_H

#include <stdbool.h>
#include <stddef.h>

enum reply_kind {
	REPLY_TEXT,       /* these bytes; then the connection is closed */
	REPLY_LOSE,       /* closes the connection and answers nothing */
	REPLY_SILENCE,    /* answers nothing until the server stops */
	REPLY_ENDLESS,    /* these bytes, and then blanks for ever */
	REPLY_FORWARD,    /* asks etcd and passes its answer on */
	REPLY_LOSE_ANSWER /* asks etcd and keeps the answer to itself */
};

struct reply {
	enum reply_kind kind;
	const char *text;
	size_t most; /* REPLY_FORWARD: the length at which the server cuts the
			answer; 0: no cut */
	/* Called in the server's thread, before it treats the request; NULL:
	 * none. */
	void (*before)(void);
};

struct server;

/* Starts a server.  Requests 0, 1, ... get the replies in order, and requests
 * after the last reply get the last one.  `etcd` is "host:port" for forwarding;
 * it may be NULL. */
struct server *server_start(const struct reply *, size_t count,
			    const char *etcd);
void server_stop(struct server *);

/* "127.0.0.1:port". */
const char *server_address(const struct server *);

/* How many requests have come, and the whole text of one of them: its line,
 * its headers and its body. */
unsigned server_requests(struct server *);
const char *server_request(struct server *, unsigned number);

#endif
