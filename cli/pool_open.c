/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_open.h"

#include "cli/pool.h"
#include "cli/safe_text.h"
#include "cli/slot_names.h"
#include "cli/usage.h"

#include <stdio.h>
#include <string.h>

/* Refuses a request for settings that a pool never changes.  Returns 0, or an
 * exit code after an error message. */
static int refuse(const struct atmost_shape *there,
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

static bool k_differs(const struct atmost_shape *there,
		      const struct pool_request *request)
{
	return request->k && request->k != there->k;
}

/* Called if the pool is in use and therefore keeps its settings.  Returns 0
 * after a warning, or an exit code after an error message. */
static int go_on(const struct atmost_shape *there,
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

static int complain_not_made(const char *name, int error)
{
	int code = pool_complain("run", name, error);

	return code == POOL_SYSTEM || code == POOL_MISSING ? POOL_NOT_MADE
							   : code;
}

/* Returns 0 or an error of the library.  Sets *again to true if another process
 * has created the pool meanwhile, with other settings. */
static int create(struct atmost **pool, const struct pool_request *request,
		  bool *again)
{
	int error = pool_make(pool, request);

	*again = error == ATMOST_ESHAPE &&
		 atmost_open(pool, request->name, NULL) == 0;
	if (*again)
		atmost_close(*pool);
	/* The call is repeated, because atmost_open has overwritten the text of
	 * atmost_detail. */
	return error == ATMOST_ESHAPE && !*again ? pool_make(pool, request)
						 : error;
}

/* Returns 0, or an exit code after an error message.  Sets *again to true if
 * the pool has changed and must be opened again. */
static int open_once(struct atmost **pool, const struct pool_request *request,
		     struct atmost_shape *there, bool *again)
{
	int code, error = atmost_open(pool, request->name, NULL);

	*again = false;
	if (error == ATMOST_ENOTFOUND) {
		error = create(pool, request, again);
		if (error)
			return *again ? 0
				      : complain_not_made(request->name, error);
	} else if (error) {
		return pool_complain("run", request->name, error);
	}
	error = atmost_inspect(*pool, there);
	code = error ? pool_complain("run", request->name, error)
		     : refuse(there, request);
	if (!code &&
	    (names_differ(there, request) || k_differs(there, request))) {
		error = pool_remake(*pool, there, request);
		*again = !error || error == ATMOST_ESHAPE;
		if (error == ATMOST_EBUSY)
			code = go_on(there, request);
		else if (!*again)
			code = complain_not_made(request->name, error);
	}
	if (code || *again)
		atmost_close(*pool);
	return code;
}

int pool_open(struct atmost **pool, const struct pool_request *request,
	      struct atmost_shape *shape)
{
	enum { TRIES = 1000 };
	bool again = true;
	int code = 0;

	for (unsigned i = 0; again && i < TRIES; i++) {
		code = open_once(pool, request, shape, &again);
		if (code)
			return code;
	}
	if (!again)
		return 0;
	fprintf(stderr,
		"atmost run: other commands keep changing the settings of pool "
		"%s; give all of them the same -k and --names\n",
		request->name);
	return POOL_NOT_NOW;
}
