/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_make.h"

#include "cli/k_value.h"
#include "cli/slot_names.h"

#include <string.h>

enum {
	MEMBERS = 4096,
	MEMBERS_OF_OTHERS = 1024, /* with an algorithm that the user names */
	ROOM_TO_GROW = 64         /* the least k_max */
};

static const char default_algorithm[] = "roster";
/* Both accept any 64-bit session and can recover dead members.  hall costs much
 * less and has room for more members, but it has no limit. */
static const char default_of_groups[] = "hall";
static const char default_of_limited_groups[] = "room";

static struct atmost_shape shape_for(const struct pool_request *request)
{
	struct atmost_shape shape = {
		.kind = request->group ? ATMOST_GROUP : ATMOST_ASSIGNMENT,
		.k = request->k,
		.members = request->algorithm ? MEMBERS_OF_OTHERS : MEMBERS,
		.algorithm = request->algorithm ? request->algorithm
						: default_algorithm,
		.names = request->names,
	};

	if (request->group && !request->algorithm && !shape.k) {
		shape.algorithm = default_of_groups;
		return shape;
	}
	if (request->group) {
		if (!request->algorithm)
			shape.algorithm = default_of_limited_groups;
		shape.members = shape.k_max = POOL_GROUP_MEMBERS;
		return shape;
	}
	if (!shape.k)
		shape.k = shape.names ? slot_names_count(shape.names) : 1;
	/* In a pool with slot names, k_max is by default the number of
	 * names. */
	if (shape.names)
		return shape;
	shape.k_max = 2 * shape.k > ROOM_TO_GROW ? 2 * shape.k : ROOM_TO_GROW;
	if (shape.k_max > K_VALUE_MOST)
		shape.k_max = K_VALUE_MOST;
	return shape;
}

int pool_make(struct atmost **pool, const struct pool_request *request)
{
	struct atmost_shape shape = shape_for(request);
	int error = atmost_open(pool, request->name, &shape);

	/* Not every algorithm supports resizing: try without it. */
	if (error == ATMOST_ESHAPE && request->algorithm && shape.k_max) {
		shape.k_max = 0;
		error = atmost_open(pool, request->name, &shape);
	}
	return error;
}

bool pool_has_default_algorithm(const struct atmost_shape *shape)
{
	const char *algorithm = shape->algorithm;

	if (shape->kind != ATMOST_GROUP)
		return strcmp(algorithm, default_algorithm) == 0;
	return strcmp(algorithm, default_of_groups) == 0 ||
	       strcmp(algorithm, default_of_limited_groups) == 0;
}

int pool_remake(struct atmost *pool, const struct atmost_shape *there,
		const struct pool_request *request)
{
	struct pool_request next = *request;
	struct atmost_totals totals;
	struct atmost *fresh;
	int error = atmost_status(pool, NULL, 0, &totals);

	if (error < 0)
		return error;
	/* atmost_unlink_unused would disturb processes that are joining. */
	if (totals.members)
		return ATMOST_EBUSY;
	next.group = there->kind == ATMOST_GROUP;
	if (!next.names)
		next.names = there->names;
	if (!next.k && !request->names)
		next.k = there->k;
	if (!next.algorithm && !pool_has_default_algorithm(there))
		next.algorithm = there->algorithm;
	error = atmost_unlink_unused(request->name);
	if (error && error != ATMOST_ENOTFOUND)
		return error;
	error = pool_make(&fresh, &next);
	if (!error)
		atmost_close(fresh);
	return error;
}
