/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_rules.h"

#include "cli/slot_names.h"
#include "cli/usage.h"

#include <stdio.h>
#include <string.h>

int pool_rules_refuse(const struct atmost_shape *there,
		      const struct pool_request *request)
{
	const char *name = request->name;

	if (there->kind == ATMOST_OBJECT)
		return usage_error("run",
				   "%s is a shared object of another program, "
				   "not a pool; choose another name",
				   name);
	if (there->kind == ATMOST_GROUP && !request->group)
		return usage_error("run",
				   "pool %s is a group pool: name a session "
				   "with -g, or use -s or -x",
				   name);
	if (there->kind != ATMOST_GROUP && request->group)
		return usage_error("run",
				   "pool %s is not a group pool: leave out -g, "
				   "-s and -x, or use another pool",
				   name);
	if (request->algorithm &&
	    strcmp(request->algorithm, there->algorithm) != 0)
		return usage_error("run",
				   "pool %s uses the algorithm %s, not %s: "
				   "leave out --algorithm, or use another "
				   "pool",
				   name, there->algorithm, request->algorithm);
	if (there->names && !request->names &&
	    request->k > slot_names_count(there->names))
		return usage_error("run",
				   "-k is %u, but pool %s has only %u slot "
				   "names: give %u names with --names",
				   request->k, name,
				   slot_names_count(there->names), request->k);
	return 0;
}

static bool names_differ(const struct atmost_shape *there,
			 const struct pool_request *request)
{
	return request->names &&
	       (!there->names ||
		!slot_names_are_same(there->names, request->names));
}

bool pool_rules_differ(const struct atmost_shape *there,
		       const struct pool_request *request)
{
	return names_differ(there, request) ||
	       (request->k && request->k != there->k);
}

int pool_rules_keep(const struct atmost_shape *there,
		    const struct pool_request *request)
{
	/* A pool of hall needs another algorithm to have a limit. */
	const bool needs_another = strcmp(there->algorithm, "hall") == 0;
	const char *when = needs_another ? " when no command uses the pool"
					 : "";
	char limit[32] = "no limit";

	/* With the slot names of the pool, the command would use the wrong
	 * device. */
	if (names_differ(there, request))
		return usage_error("run",
				   "pool %s is in use with %s%s, so it cannot "
				   "take the names %s now; run this again when "
				   "no command uses the pool, or use another "
				   "pool",
				   request->name,
				   there->names ? "the slot names "
						: "no slot names",
				   there->names ? there->names : "",
				   request->names);
	if (there->k)
		snprintf(limit, sizeof limit, "k = %u", there->k);
	if (request->strict)
		return usage_error("run",
				   "pool %s is in use and has %s, not %u; "
				   "'atmost resize %s %u' changes it%s",
				   request->name, limit, request->k,
				   request->name, request->k, when);
	fprintf(stderr,
		"atmost run: pool %s is in use and keeps %s, not %u; 'atmost "
		"resize %s %u' changes it%s\n",
		request->name, limit, request->k, request->name, request->k,
		when);
	return 0;
}
