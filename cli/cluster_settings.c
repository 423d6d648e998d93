/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost pools and atmost resize, for pools in etcd. */
#include "cli/cluster_open.h"
#include "cli/elsewhere.h"
#include "cli/pool.h"
#include "cli/slot_names.h"
#include "cli/usage.h"
#include "cluster/list.h"

#include <stdio.h>
#include <string.h>

int elsewhere_pools(char **argv, const char *at)
{
	struct place place;
	char **names;
	int code, error;

	(void)argv;
	code = cluster_open("pools", at, NULL, &place);
	if (code)
		return code;
	error = cluster_list(&place.connection, &names);
	if (error) {
		code = cluster_complain("pools", &place, error);
	} else {
		for (char **name = names; *name; name++)
			printf("%s\n", *name);
		cluster_list_free(names);
	}
	cluster_close(&place);
	return code;
}

/* Returns 0, or an exit code after an error message. */
static int check(const struct place *place, const struct cluster_pool *there,
		 const struct pool_request *request)
{
	const char *names = request->names ? request->names : there->names;

	if (request->names && there->groups)
		return usage_error("resize",
				   "the slots of pool %s have no names: leave "
				   "out --names",
				   place->name);
	if (request->k == 0 && !there->groups)
		return usage_error("resize",
				   "K must be 1 or more: pool %s is not a "
				   "group pool",
				   place->name);
	if (request->k > CLUSTER_K_MOST)
		return usage_error("resize",
				   "K is %u; in etcd it can be at most %d",
				   request->k, CLUSTER_K_MOST);
	if (names && request->k > slot_names_count(names))
		return usage_error("resize",
				   "pool %s has only %u slot names: give %u "
				   "names with --names",
				   place->name, slot_names_count(names),
				   request->k);
	return 0;
}

static int complain_in_use(const struct place *place)
{
	fprintf(stderr,
		"atmost resize: pool %s is in use, and its slot names cannot "
		"change now; run 'atmost resize' again when no command uses "
		"the pool, or use another pool\n",
		place->name);
	return POOL_NOT_NOW;
}

/* Resizes the pool if it is still as a look has seen it.  *again: the pool has
 * changed. */
static int resize_once(struct place *place, const struct pool_request *request,
		       bool *again)
{
	struct cluster_look look;
	struct cluster_pool next;
	int error = cluster_look(&place->connection, place->pool, &look), code;

	*again = false;
	if (error)
		return cluster_complain("resize", place, error);
	next = look.pool;
	next.k = request->k;
	/* The same names in another order are the same names. */
	if (request->names &&
	    (!next.names || !slot_names_are_same(next.names, request->names)))
		next.names = request->names;
	code = check(place, &look.pool, request);
	if (!code) {
		error = cluster_change(&place->connection, place->pool, &look,
				       &next, false);
		*again = error == ATMOST_ENOTFOUND;
		if (error == ATMOST_EBUSY)
			code = complain_in_use(place);
		else if (error && !*again)
			code = cluster_complain("resize", place, error);
	}
	cluster_look_free(&look);
	return code;
}

int elsewhere_resize(char **argv, const char *at,
		     const struct pool_request *request)
{
	struct place place;
	bool again = true;
	int code = cluster_open("resize", at, request->name, &place);

	(void)argv;
	if (code)
		return code;
	while (again)
		code = resize_once(&place, request, &again);
	cluster_close(&place);
	return code;
}
