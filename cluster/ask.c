/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/ask.h"

#include "cluster/version.h"

#include <string.h>

static int explain_denial(struct connection *connection, int code,
			  const char *message)
{
	const struct address *address = connection->address;
	struct complaint *why = &connection->why;

	if (strstr(message, "CommonName"))
		return complain(why, ATMOST_EPERMISSION,
				"etcd at %s takes no certificate with a "
				"common name from the gateway: use a "
				"certificate without a common name, and a "
				"user in the address (%s)",
				address->text, message);
	if (!address->user)
		return complain(why, ATMOST_EPERMISSION,
				"etcd at %s asks for a user: write "
				"etcd%s://USER@HOST..., and name a file with "
				"the password in ATMOST_AT_PASSWORD_FILE (%s)",
				address->text, address->tls ? "s" : "",
				message);
	if (code == GRPC_PERMISSION_DENIED)
		return complain(why, ATMOST_EPERMISSION,
				"etcd at %s does not let the user %s use the "
				"keys that begin with %s/: grant a role of "
				"the user READWRITE on this prefix (%s)",
				address->text, address->user, address->prefix,
				message);
	return complain(why, ATMOST_EPERMISSION,
			"etcd at %s does not accept the user %s with the "
			"password of ATMOST_AT_PASSWORD_FILE (%s)",
			address->text, address->user, message);
}

/* The endpoint does not serve the page of the request.  Asks for the endpoint's
 * version, which tells why. */
static int explain_missing_gateway(struct connection *connection)
{
	const char *endpoint = wire_endpoint(connection->wire);
	struct complaint *why = &connection->why;
	struct etcd_version version;

	if (!version_ask(connection, &version))
		return complain(why, ATMOST_EREFUSED,
				"%s is not etcd: it does not say its version "
				"at /version",
				endpoint);
	if (version_is_too_old(&version))
		return complain(why, ATMOST_EREFUSED,
				"etcd at %s is version %u.%u.%u; atmost needs "
				"version 3.4 or a newer one",
				endpoint, version.major, version.minor,
				version.patch);
	return complain(why, ATMOST_EREFUSED,
			"etcd at %s has no JSON gateway: start it with "
			"--enable-grpc-gateway",
			endpoint);
}

int ask_explain(struct connection *connection, enum wire_result result,
		int code, const char *message)
{
	struct complaint *why = &connection->why;
	const char *problem = wire_problem(connection->wire);

	switch (result) {
	case WIRE_PENDING:
		return complain(why, ATMOST_EUNREACHED,
				"etcd at %s was not reached: %s",
				connection->address->text,
				*problem ? problem : "it does not answer");
	case WIRE_DENIED:
		return explain_denial(connection, code, message);
	case WIRE_NO_GATEWAY:
		return explain_missing_gateway(connection);
	default:
		break;
	}
	if (code == GRPC_RESOURCE_EXHAUSTED)
		return complain(why, ATMOST_EREFUSED,
				"etcd at %s is out of space: compact and "
				"defragment it, then clear its alarm with "
				"'etcdctl alarm disarm' (%s)",
				connection->address->text, message);
	return complain(why, ATMOST_EREFUSED,
			"etcd at %s refuses a request: %s",
			connection->address->text, message);
}

static int finish(struct connection *connection)
{
	struct exchange *exchange = &connection->exchange;
	char message[sizeof exchange->message];

	if (connection_finish(connection, exchange) == WIRE_DONE)
		return 0;
	/* The explanation may send a request of its own. */
	memcpy(message, exchange->message, sizeof message);
	return ask_explain(connection, exchange->result, exchange->code,
			   message);
}

int ask(struct connection *connection, const char *path)
{
	struct exchange *exchange = &connection->exchange;

	if (exchange->body.failed)
		return complain(&connection->why, ATMOST_ENOMEM,
				"out of memory");
	exchange->path = path;
	connection_begin(connection);
	wire_send(connection->wire, exchange);
	return finish(connection);
}

int ask_again(struct connection *connection, const char *why)
{
	wire_again(connection->wire, &connection->exchange, why);
	return finish(connection);
}

int ask_transaction(struct connection *connection,
		    const struct transaction_form *form, int *made,
		    struct seen_keys *seen)
{
	const struct exchange *exchange = &connection->exchange;
	int error = ask(connection, "/v3/kv/txn");

	while (!error &&
	       !answer_transaction(exchange->answer.bytes,
				   exchange->answer.length, form, made, seen))
		error = ask_again(connection,
				  "the answer to a transaction is bad");
	return error;
}
