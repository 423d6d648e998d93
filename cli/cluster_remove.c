/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost remove and atmost repair, for pools in etcd. */
#include "cli/cluster_open.h"
#include "cli/elsewhere.h"
#include "cli/pool.h"
#include "cluster/list.h"
#include "cluster/removal.h"

#include <stdio.h>

static int remove_unused(struct place *place)
{
	struct cluster_look look;
	int error = cluster_remove_unused(&place->connection, place->pool,
					  &look);

	if (error == ATMOST_EBUSY) {
		fprintf(stderr,
			"atmost remove: pool %s is in use: %u running, %u "
			"waiting commands; --force stops the commands and "
			"removes the pool\n",
			place->name, look.holders, look.waiters);
		cluster_look_free(&look);
		return POOL_NOT_NOW;
	}
	return error ? cluster_complain("remove", place, error) : 0;
}

static int remove_by_force(struct place *place)
{
	unsigned members;
	int error = cluster_remove(&place->connection, place->pool, &members);

	if (error)
		return cluster_complain("remove", place, error);
	if (members)
		fprintf(stderr,
			"atmost remove: %u running or waiting command%s of "
			"pool %s lost its place: a running command is "
			"stopped, and a waiting one waits for a new pool\n",
			members, members == 1 ? "" : "s", place->name);
	return 0;
}

int elsewhere_remove(char **argv, const char *at, const char *pool, bool force)
{
	struct place place;
	int code = cluster_open("remove", at, pool, &place);

	(void)argv;
	if (code)
		return code;
	code = force ? remove_by_force(&place) : remove_unused(&place);
	cluster_close(&place);
	return code;
}

/* Removes one pool of the list, if it is not in use, and prints its name. */
static int remove_listed(struct place *place, const char *name)
{
	struct cluster_look look;
	int error = cluster_remove_unused(&place->connection, name, &look);

	if (!error)
		printf("%s\n", name);
	if (error == ATMOST_EBUSY)
		cluster_look_free(&look);
	if (!error || error == ATMOST_EBUSY || error == ATMOST_ENOTFOUND)
		return 0;
	return cluster_complain_of("remove", place, name, error);
}

int elsewhere_remove_unused(char **argv, const char *at)
{
	struct place place;
	char **names;
	int code = cluster_open("remove", at, NULL, &place), error;

	(void)argv;
	if (code)
		return code;
	error = cluster_list(&place.connection, &names);
	if (error) {
		code = cluster_complain("remove", &place, error);
		cluster_close(&place);
		return code;
	}
	for (char **name = names; *name; name++) {
		error = remove_listed(&place, *name);
		code = error ? error : code;
	}
	cluster_list_free(names);
	cluster_close(&place);
	return code;
}

int elsewhere_repair(char **argv, const char *at, const char *pool)
{
	struct cluster_repair repair;
	struct cluster_look look;
	struct place place;
	int code = cluster_open("repair", at, pool, &place), error;

	(void)argv;
	if (code)
		return code;
	error = cluster_repair(&place.connection, place.pool, &repair);
	if (!error)
		error = cluster_look(&place.connection, place.pool, &look);
	if (error) {
		code = cluster_complain("repair", &place, error);
		cluster_close(&place);
		return code;
	}
	if (repair.deleted + repair.revoked)
		printf("%s: %u keys without a lease deleted, %u leases without "
		       "a member ended\n",
		       place.name, repair.deleted, repair.revoked);
	else
		printf("%s: all keys belong to members\n", place.name);
	printf("%u inside, %u waiting\n", look.holders, look.waiters);
	cluster_look_free(&look);
	cluster_close(&place);
	return 0;
}
