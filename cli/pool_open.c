/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_open.h"

#include "cli/pool.h"
#include "cli/pool_rules.h"

#include <stdio.h>

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
		     : pool_rules_refuse(there, request);
	if (!code && pool_rules_differ(there, request)) {
		error = pool_remake(*pool, there, request);
		*again = !error || error == ATMOST_ESHAPE;
		if (error == ATMOST_EBUSY)
			code = pool_rules_keep(there, request);
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
