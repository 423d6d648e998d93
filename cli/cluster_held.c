/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cluster_held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "ATMOST_HELD";

static bool share_endpoint(const struct address *one,
			   const struct address *other)
{
	for (unsigned i = 0; i < one->count; i++)
		for (unsigned j = 0; j < other->count; j++)
			if (strcmp(one->endpoints[i], other->endpoints[j]) == 0)
				return true;
	return false;
}

static bool is_same(const struct address *address, const char *pool,
		    const char *text)
{
	struct complaint why;
	struct address held;
	bool same;

	if (address_read(&held, text, true, &why) < 0)
		return false;
	same = strcmp(held.prefix, address->prefix) == 0 &&
	       strcmp(held.pool, pool) == 0 && share_endpoint(&held, address);
	address_free(&held);
	return same;
}

bool cluster_held_has(const struct address *address, const char *pool)
{
	const char *value = getenv(name);
	char *all = value ? strdup(value) : NULL, *rest = all, *one;
	bool found = false;

	while (!found && (one = strsep(&rest, " ")) != NULL)
		found = *one && is_same(address, pool, one);
	free(all);
	return found;
}

bool cluster_held_add(const struct address *address, const char *pool)
{
	const char *before = getenv(name);
	bool done;
	char *all;

	if (!before)
		before = "";
	if (asprintf(&all, "%s%s%s/%s", before, *before ? " " : "",
		     address->text, pool) < 0)
		return false;
	done = setenv(name, all, 1) == 0;
	free(all);
	return done;
}
