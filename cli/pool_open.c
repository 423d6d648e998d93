/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_open.h"

#include "cli/pool.h"
#include "cli/usage.h"

#include <string.h>

enum {
	MEMBERS = 1024,
	ROOM_TO_GROW = 64, /* the least k_max */
	MOST_K = 1024
};

static struct atmost_shape shape_for(const struct pool_request *request)
{
	struct atmost_shape shape = {
		.kind = request->group ? ATMOST_GROUP : ATMOST_ASSIGNMENT,
		.k = request->k,
		.members = request->group ? POOL_GROUP_MEMBERS : MEMBERS,
		.algorithm = request->algorithm,
	};

	if (request->group) {
		/* room accepts any 64-bit session and recovers dead members. */
		if (!shape.algorithm)
			shape.algorithm = "room";
		shape.k_max = POOL_GROUP_MEMBERS;
		return shape;
	}
	if (!shape.k)
		shape.k = request->names ? request->names : 1;
	shape.k_max = 2 * shape.k > ROOM_TO_GROW ? 2 * shape.k : ROOM_TO_GROW;
	if (shape.k_max > MOST_K)
		shape.k_max = MOST_K;
	return shape;
}

static int create(struct atmost **pool, const struct pool_request *request)
{
	struct atmost_shape shape = shape_for(request);
	int code, error = atmost_open(pool, request->name, &shape);

	/* Not every algorithm supports resizing: try again without it. */
	if (error == ATMOST_ESHAPE && request->algorithm && shape.k_max) {
		shape.k_max = 0;
		error = atmost_open(pool, request->name, &shape);
	}
	if (!error)
		return 0;
	code = pool_complain("run", request->name, error);
	return code == POOL_SYSTEM || code == POOL_MISSING ? POOL_NOT_MADE
							   : code;
}

/* Compares the pool with the request, because the pool may have been created
 * with other options.  Returns 0, or an exit code after an error message. */
static int compare(const struct atmost_shape *there,
		   const struct pool_request *request)
{
	const char *name = request->name;

	if (there->kind == ATMOST_OBJECT)
		return usage_error(
			"run",
			"%s is a shared object of another program, not a pool; choose another name",
			name);
	if (there->kind == ATMOST_GROUP && !request->group)
		return usage_error("run",
				   "pool %s is a group pool: name a session "
				   "with -g",
				   name);
	if (there->kind != ATMOST_GROUP && request->group)
		return usage_error("run",
				   "pool %s is not a group pool: leave out -g, "
				   "or use another pool",
				   name);
	if (request->k && !there->k)
		return usage_error("run",
				   "pool %s has no limit, but -k is %u; "
				   "'atmost resize %s %u' sets one",
				   name, request->k, name, request->k);
	if (request->k && request->k != there->k)
		return usage_error("run",
				   "pool %s has k = %u, not %u; 'atmost "
				   "resize %s %u' changes it",
				   name, there->k, request->k, name,
				   request->k);
	if (request->algorithm &&
	    strcmp(request->algorithm, there->algorithm) != 0)
		return usage_error("run",
				   "pool %s uses the algorithm %s, not %s: "
				   "leave out --algorithm, or use another "
				   "pool",
				   name, there->algorithm, request->algorithm);
	if (request->names && request->names != there->k)
		return usage_error("run",
				   "pool %s has %u slots, but %u names are "
				   "given",
				   name, there->k, request->names);
	return 0;
}

int pool_open(struct atmost **pool, const struct pool_request *request)
{
	struct atmost_shape there;
	int code, error = atmost_open(pool, request->name, NULL);

	if (error == ATMOST_ENOTFOUND) {
		code = create(pool, request);
		if (code)
			return code;
	} else if (error) {
		return pool_complain("run", request->name, error);
	}
	/* Another process may have created the pool in the meantime. */
	error = atmost_inspect(*pool, &there);
	code = error ? pool_complain("run", request->name, error)
		     : compare(&there, request);
	if (code)
		atmost_close(*pool);
	return code;
}
