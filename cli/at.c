/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/at.h"

#include "cli/usage.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int at_choose(const char *command, const char *option, const char *pool,
	      const char **address)
{
	const char *from = "--at", *at = option;

	*address = NULL;
	if (pool && strstr(pool, "://")) {
		if (option)
			return usage_error(command,
					   "--at is given, and '%s' has an "
					   "address of its own: leave one of "
					   "them out",
					   pool);
		from = "the address of POOL";
		at = pool;
	}
	if (!at) {
		from = "ATMOST_AT";
		at = getenv(from);
	}
	if (!at || (!*at && !option) || strcmp(at, "here") == 0)
		return 0;
	if (strncmp(at, "etcd://", 7) != 0 && strncmp(at, "etcds://", 8) != 0)
		return usage_error(command,
				   "%s must begin with etcd:// or etcds://%s; "
				   "it is '%s'",
				   from, at == pool ? "" : ", or be 'here'",
				   at);
	*address = at;
	return 0;
}
