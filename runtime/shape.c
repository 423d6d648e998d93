/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/shape.h"

#include "algorithms/distance.h"
#include "runtime/error.h"
#include "runtime/names.h"

enum {
	DEFAULT_MEMBERS = 64,
	MOST_MEMBERS = 65535, /* so that no algorithm's n * n overflows */
};

const char *atmost_kind_name(enum atmost_kind kind)
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

/* hall costs much less than room, but it has no limit. */
static const char *default_algorithm(const struct atmost_shape *wanted)
{
	switch (wanted->kind) {
	case ATMOST_MUTEX:
	case ATMOST_EXCLUSION:
	case ATMOST_ASSIGNMENT:
		return "roster";
	case ATMOST_GROUP:
		return wanted->k || wanted->k_max ? "room" : "hall";
	case ATMOST_OBJECT:
		return "resilient-object/roster";
	}
	return NULL;
}

static bool solves(const struct algorithm *a, enum atmost_kind kind)
{
	switch (kind) {
	case ATMOST_MUTEX:
	case ATMOST_EXCLUSION:
		return a->kind <= KIND_K_ASSIGNMENT;
	case ATMOST_ASSIGNMENT:
		return a->kind == KIND_K_ASSIGNMENT;
	case ATMOST_GROUP:
		return a->kind == KIND_GROUP_EXCLUSION;
	case ATMOST_OBJECT:
		return a->kind == KIND_OBJECT && a->object.scratch;
	}
	return false;
}

static int unknown(const char *name)
{
	const struct algorithm *a, *nearest = NULL;
	unsigned least = 4; /* names at this distance are not similar */
	char why[128];

	for (size_t i = 0; (a = registry_at(i)) != NULL; i++) {
		unsigned d = distance_of_names(name, a->name);

		if (algorithm_is_native(a) && d < least) {
			least = d;
			nearest = a;
		}
	}
	registry_explain(name, why, sizeof why);
	if (!nearest)
		return error_say(ATMOST_EALGORITHM, "%s", why);
	return error_say(ATMOST_EALGORITHM, "%s; did you mean %s?", why,
			 nearest->name);
}

static int find(const struct algorithm **algorithm,
		const struct atmost_shape *wanted)
{
	const char *name = wanted->algorithm ? wanted->algorithm
					     : default_algorithm(wanted);
	const struct algorithm *a;

	if (!name)
		return error_say(ATMOST_EALGORITHM,
				 "kind %s has no default algorithm: name one",
				 atmost_kind_name(wanted->kind));
	a = registry_find(name);
	if (!a)
		return unknown(name);
	if (!solves(a, wanted->kind))
		return error_say(ATMOST_EALGORITHM,
				 "%s is for %s, but the pool's kind is %s",
				 a->name, registry_kind_name(a->kind),
				 atmost_kind_name(wanted->kind));
	if (a->over_store)
		return error_say(ATMOST_EALGORITHM,
				 "%s runs over a store, not in shared memory",
				 a->name);
	if (a->simulated_only)
		return error_say(ATMOST_EALGORITHM,
				 "%s runs in the checker only", a->name);
	*algorithm = a;
	return 0;
}

/* most = 0: there is no upper limit. */
static int check(const struct algorithm *a, const char *field, unsigned value,
		 unsigned least, unsigned most)
{
	if (value < least)
		return error_say(ATMOST_ESHAPE,
				 "%s: %s is %u; it must be at least %u",
				 a->name, field, value, least);
	if (most && value > most)
		return error_say(ATMOST_ESHAPE,
				 "%s: %s is %u; it must be at most %u", a->name,
				 field, value, most);
	return 0;
}

/* A group pool whose k is 0 (no limit) must have slots for all its members, and
 * if its algorithm cannot have a limit, no more than these. */
static int check_no_limit(const struct algorithm *a, const struct shape *shape)
{
	if (shape->k_max < shape->n)
		return error_say(ATMOST_ESHAPE,
				 "%s: k_max is %u, but it must be at least "
				 "members, %u, because k is 0 (no limit)",
				 a->name, shape->k_max, shape->n);
	if (!a->resize && shape->k_max > shape->n)
		return error_say(ATMOST_ESHAPE,
				 "%s: k_max is %u; it must be at most members, "
				 "%u: the algorithm has no limit",
				 a->name, shape->k_max, shape->n);
	return 0;
}

/* Returns whether the pool has a slot for every member. */
static bool is_without_limit(const struct algorithm *a,
			     const struct shape *shape)
{
	return a->kind == KIND_GROUP_EXCLUSION && a->holder && !shape->k;
}

static int check_shape(const struct algorithm *a, const struct shape *shape)
{
	unsigned most_n = a->limits.most_n ? a->limits.most_n : MOST_MEMBERS;
	int error = check(a, "members", shape->n, a->limits.least_n, most_n);

	if (a->kind == KIND_GROUP_EXCLUSION && shape->k &&
	    !(a->promises & AT_MOST_K))
		return error_say(ATMOST_ESHAPE,
				 "%s: k is %u, but it must be 0: the algorithm "
				 "does not limit the members inside",
				 a->name, shape->k);

	if (!error)
		error = check(a, "k", shape->k, a->limits.least_k,
			      a->limits.most_k);
	if (!error && is_without_limit(a, shape))
		error = check_no_limit(a, shape);
	if (!error && shape->k_max > shape->k && !a->resize &&
	    !is_without_limit(a, shape))
		return error_say(
			ATMOST_ESHAPE,
			"%s: k_max is %u and k is %u, but the algorithm "
			"cannot be resized",
			a->name, shape->k_max, shape->k);
	if (!error)
		error = check(a, "k_max", shape->k_max, 0, a->limits.most_k);
	if (!error)
		error = check(a, "sessions", shape->sessions,
			      a->limits.least_sessions,
			      a->limits.most_sessions);
	return error;
}

/* If there are slot names, every slot has one: their number is k_max and the
 * default of k. */
static int count_names(struct shape *shape, const struct atmost_shape *wanted)
{
	int names = names_check(wanted);

	if (names <= 0)
		return names;
	if (shape->k > (unsigned)names)
		return error_say(ATMOST_ESHAPE,
				 "k is %u, but there are only %d slot names",
				 shape->k, names);
	if (shape->k_max && shape->k_max != (unsigned)names)
		return error_say(ATMOST_ESHAPE,
				 "k_max is %u, but there are %d slot names; it "
				 "must be 0 or %d",
				 shape->k_max, names, names);
	if (!shape->k)
		shape->k = (unsigned)names;
	shape->k_max = (unsigned)names;
	return 0;
}

int shape_resolve(const struct algorithm **algorithm, struct shape *shape,
		  const struct atmost_shape *wanted)
{
	int error;

	if (!wanted)
		return error_say(ATMOST_ESHAPE, "a new pool needs a shape");
	if ((unsigned)wanted->kind > ATMOST_OBJECT)
		return error_say(ATMOST_ESHAPE,
				 "kind is %u; it must be at most %u",
				 (unsigned)wanted->kind, ATMOST_OBJECT);
	if (wanted->k_max && wanted->k_max < wanted->k)
		return error_say(ATMOST_ESHAPE,
				 "k_max is %u, less than k, which is %u",
				 wanted->k_max, wanted->k);
	if (wanted->sessions && wanted->kind != ATMOST_GROUP)
		return error_say(
			ATMOST_ESHAPE,
			"sessions is %u, but only a group pool has sessions",
			wanted->sessions);
	if (wanted->kind == ATMOST_MUTEX && wanted->k > 1)
		return error_say(ATMOST_ESHAPE,
				 "k is %u, but a mutex has k = 1", wanted->k);
	error = find(algorithm, wanted);
	if (error)
		return error;
	*shape = (struct shape){
		.n = wanted->members ? wanted->members : DEFAULT_MEMBERS,
		.k = wanted->kind == ATMOST_MUTEX ? 1 : wanted->k,
		.k_max = wanted->k_max,
		.sessions = wanted->sessions,
		.component = (*algorithm)->composition.component,
	};
	error = count_names(shape, wanted);
	if (error)
		return error;
	if (shape->k_max < shape->k)
		shape->k_max = shape->k;
	if (!shape->k_max && is_without_limit(*algorithm, shape))
		shape->k_max = shape->n;
	/* 0 sessions means: as many as the algorithm can have. */
	if (!shape->sessions)
		shape->sessions = (*algorithm)->limits.most_sessions;
	return check_shape(*algorithm, shape);
}
