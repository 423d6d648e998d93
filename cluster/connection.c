/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/connection.h"

void connection_borrow(struct connection *connection,
		       const struct address *address, struct wire *wire)
{
	*connection = (struct connection){ .address = address,
					   .wire = wire,
					   .until = INT64_MAX };
}

int connection_open(struct connection *connection,
		    const struct address *address, struct complaint *why)
{
	const struct wire_address wire = address_wire(address);

	connection_borrow(connection, address, wire_open(&wire));
	connection->owns_wire = true;
	return connection->wire ? 0
				: complain(why, ATMOST_ENOMEM, "out of memory");
}

void connection_close(struct connection *connection)
{
	wire_free(&connection->exchange);
	if (connection->owns_wire && connection->wire)
		wire_close(connection->wire);
	connection->wire = NULL;
}

struct text *connection_body(struct connection *connection)
{
	text_clear(&connection->exchange.body);
	return &connection->exchange.body;
}

void connection_begin(struct connection *connection)
{
	if (connection->patience)
		connection->until = wire_now() + connection->patience;
}

enum wire_result connection_finish(struct connection *connection,
				   struct exchange *exchange)
{
	struct curl_waitfd *interrupt = connection->interrupt;

	while (exchange->result == WIRE_PENDING &&
	       (wire_pump(connection->wire, connection->until, interrupt,
			  interrupt ? 1 : 0) ||
		wire_now() < connection->until) &&
	       !(interrupt && interrupt->revents))
		;
	wire_cancel(exchange);
	return exchange->result;
}
