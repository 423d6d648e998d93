/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening pools, and saying why one cannot be opened. */
#include "cli/pool.h"

#include "cli/command.h"
#include "cli/options.h"
#include "cli/plain.h"

#include <stdio.h>
#include <string.h>

enum {
	MEMBERS = 1024,
	ROOM_TO_GROW = 64, /* the least k_max */
	MOST_K = 1024
};

static int exit_for(int error)
{
	switch (error) {
	case ATMOST_ENAME:
	case ATMOST_ESHAPE:
	case ATMOST_EALGORITHM:
	case ATMOST_ESESSION:
	case ATMOST_ENOTABORTABLE:
	case ATMOST_ENOTRESIZABLE:
		return POOL_USAGE;
	case ATMOST_EFORMAT:
	case ATMOST_ECORRUPT:
		return POOL_DAMAGED;
	case ATMOST_ENOTFOUND:
		return POOL_MISSING;
	case ATMOST_EFULL:
		return POOL_FULL;
	case ATMOST_EPERMISSION:
		return POOL_FORBIDDEN;
	case ATMOST_EBUSY:
	case ATMOST_ETIMEDOUT:
		return POOL_NOT_NOW;
	default:
		return POOL_SYSTEM;
	}
}

int pool_complain(const char *command, const char *pool, int error)
{
	const char *detail = atmost_detail();

	fprintf(stderr, "atmost %s: ", command);
	plain_print(stderr, *detail ? detail : atmost_strerror(error));
	fputc('\n', stderr);
	if (error == ATMOST_EFORMAT || error == ATMOST_ECORRUPT)
		fprintf(stderr,
			"once nobody uses it, 'atmost remove --force "
			"%s' removes it\n",
			pool);
	if (error == ATMOST_EFULL)
		fprintf(stderr, "'atmost status %s' shows who is there\n",
			pool);
	return exit_for(error);
}

static struct atmost_shape shape_for(const struct pool_wish *wish)
{
	struct atmost_shape shape = {
		.kind = wish->group ? ATMOST_GROUP : ATMOST_ASSIGNMENT,
		.k = wish->k,
		.members = wish->group ? POOL_MOST_OF_GROUP : MEMBERS,
		.algorithm = wish->algorithm,
	};

	if (wish->group) {
		/* One that takes any session, as words become, and recovers. */
		if (!shape.algorithm)
			shape.algorithm = "room";
		shape.k_max = POOL_MOST_OF_GROUP;
		return shape;
	}
	if (!shape.k)
		shape.k = wish->names ? wish->names : 1;
	shape.k_max = 2 * shape.k > ROOM_TO_GROW ? 2 * shape.k : ROOM_TO_GROW;
	if (shape.k_max > MOST_K)
		shape.k_max = MOST_K;
	return shape;
}

static int make(struct atmost **pool, const struct pool_wish *wish)
{
	struct atmost_shape shape = shape_for(wish);
	int code, error = atmost_open(pool, wish->name, &shape);

	/* Not every algorithm can be resized. */
	if (error == ATMOST_ESHAPE && wish->algorithm && shape.k_max) {
		shape.k_max = 0;
		error = atmost_open(pool, wish->name, &shape);
	}
	if (!error)
		return 0;
	code = pool_complain("run", wish->name, error);
	return code == POOL_SYSTEM || code == POOL_MISSING ? POOL_NOT_MADE
							   : code;
}

const char *pool_kind(enum atmost_kind kind)
{
	static const char *const names[] = {
		[ATMOST_MUTEX] = "mutex",
		[ATMOST_EXCLUSION] = "exclusion",
		[ATMOST_ASSIGNMENT] = "assignment",
		[ATMOST_GROUP] = "group",
		[ATMOST_OBJECT] = "object",
	};

	return (unsigned)kind <= ATMOST_OBJECT ? names[kind] : "unknown";
}

/* An existing pool is as its first user made it. */
static int compare(const struct atmost_shape *there,
		   const struct pool_wish *wish)
{
	const char *name = wish->name;

	if (there->kind == ATMOST_OBJECT)
		return usage_error("run", "%s is a shared object, not a pool",
				   name);
	if ((there->kind == ATMOST_GROUP) != (wish->group != NULL))
		return usage_error(
			"run",
			there->kind == ATMOST_GROUP
				? "pool %s is for sessions: say which by -g"
				: "pool %s is not for sessions: leave out "
				  "-g, or take another pool",
			name);
	if (wish->k && !there->k)
		return usage_error("run",
				   "pool %s has no limit, and not k = "
				   "%u; 'atmost resize %s %u' sets one",
				   name, wish->k, name, wish->k);
	if (wish->k && wish->k != there->k)
		return usage_error("run",
				   "pool %s has k = %u, not %u; 'atmost "
				   "resize %s %u' changes it",
				   name, there->k, wish->k, name, wish->k);
	if (wish->algorithm && strcmp(wish->algorithm, there->algorithm) != 0)
		return usage_error("run",
				   "pool %s has the algorithm %s, not "
				   "%s",
				   name, there->algorithm, wish->algorithm);
	if (wish->names && !wish->group && wish->names != there->k)
		return usage_error("run",
				   "pool %s has %u slots, but %u names "
				   "are given",
				   name, there->k, wish->names);
	return 0;
}

int pool_open(struct atmost **pool, const struct pool_wish *wish)
{
	struct atmost_shape there;
	int code, error = atmost_open(pool, wish->name, NULL);

	if (error == ATMOST_ENOTFOUND) {
		code = make(pool, wish);
		if (code)
			return code;
	} else if (error) {
		return pool_complain("run", wish->name, error);
	}
	/* Also of one just made: somebody else may have been faster. */
	error = atmost_inspect(*pool, &there);
	code = error ? pool_complain("run", wish->name, error)
		     : compare(&there, wish);
	if (code)
		atmost_close(*pool);
	return code;
}
