/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/version.h"

bool version_ask(struct connection *connection, struct etcd_version *version)
{
	struct exchange get = { .path = "/version" };
	bool good;

	connection_begin(connection);
	wire_send(connection->wire, &get);
	good = connection_finish(connection, &get) == WIRE_DONE &&
	       answer_version(get.answer.bytes, get.answer.length, version);
	wire_free(&get);
	return good;
}

bool version_is_too_old(const struct etcd_version *version)
{
	return version->major < 3 ||
	       (version->major == 3 && version->minor < 4);
}

bool version_warning(const struct etcd_version *version, const char *endpoint,
		     struct complaint *warning)
{
	const bool doubtful = version->major == 3 &&
			      (version->minor < 4 ||
			       (version->minor == 4 && version->patch < 31) ||
			       (version->minor == 5 && version->patch < 13));

	if (doubtful)
		complain(warning, 0,
			 "etcd at %s is version %u.%u.%u; before 3.4.31 and "
			 "3.5.13, a leader that was stopped may end the leases "
			 "of running commands, and atmost then stops them",
			 endpoint, version->major, version->minor,
			 version->patch);
	return doubtful;
}
