/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the wire share: answers of a server, and a request to it. */
#ifndef ATMOST_TESTS_CLUSTER_SERVER_WIRE_H
#define ATMOST_TESTS_CLUSTER_SERVER_WIRE_H

#include "memory/etcd/wire.h"
#include "server.h"

#define HTTP(status, body)                                          \
	"HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" \
	"Connection: close\r\n\r\n" body
#define GOOD HTTP("200 OK", "{\"good\":true}")
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Opens a wire to one or two servers. */
static inline struct wire *open_wire(struct server *first,
				     struct server *second, const char *user)
{
	const char *endpoints[2] = { server_address(first),
				     second ? server_address(second) : NULL };

	return wire_open(
		&(struct wire_address){ .endpoints = endpoints,
					.count = second ? 2 : 1,
					.user = user,
					.password = user ? "s\"ecret" : NULL,
					.patience_ms = 300 });
}

/* Sends a request and waits for its end. */
static inline void run(struct wire *wire, struct exchange *exchange)
{
	exchange->path = "/v3/kv/txn";
	text_print(&exchange->body, "{\"body\":1}");
	wire_send(wire, exchange);
	while (exchange->result == WIRE_PENDING)
		wire_pump(wire, INT64_MAX, NULL, 0);
}

#endif
