/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/library.h"

#include "cluster/credentials.h"
#include "cluster/lease_time.h"
#include "cluster/removal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t patience = 5000000000; /* ns */

static int say(char *why, int error, const struct complaint *complaint)
{
	snprintf(why, REMOTE_WHY_ROOM, "%s", complaint->text);
	return error;
}

int library_explain(struct connection *connection, int error, char *why)
{
	return say(why, error, &connection->why);
}

int library_connect(struct connection *connection,
		    const struct address *address, char *why)
{
	struct complaint complaint;
	int error = connection_open(connection, address, &complaint);

	connection->until = wire_now() + patience;
	return error ? say(why, error, &complaint) : 0;
}

static int read_address(struct address *address, const char *text, char *why)
{
	struct complaint complaint;
	int error = address_read(address, text, true, &complaint);

	if (error)
		return say(why, error, &complaint);
	error = credentials_read(address, &complaint);
	if (error)
		address_free(address);
	return error ? say(why, error, &complaint) : 0;
}

void library_close(struct remote_pool *pool)
{
	address_free(&pool->address);
	free(pool->root);
	free(pool->names);
	free(pool);
}

static const char *algorithm_name(bool groups)
{
	return groups ? "ledger-room" : "ledger";
}

/* Checks the parts of the shape that do not depend on the pool. */
static int check_shape(const struct atmost_shape *wanted, struct complaint *why)
{
	const char *name = algorithm_name(wanted->kind == ATMOST_GROUP);

	if ((unsigned)wanted->kind > ATMOST_GROUP)
		return complain(why, ATMOST_ESHAPE,
				"kind is %d: there is no such kind of pool",
				(int)wanted->kind);
	if (wanted->kind == ATMOST_MUTEX && wanted->k > 1)
		return complain(why, ATMOST_ESHAPE,
				"k is %u, but a mutex has k = 1", wanted->k);
	if (wanted->algorithm && strcmp(wanted->algorithm, name) != 0)
		return complain(why, ATMOST_EALGORITHM,
				"algorithm is %s, but %s of several machines "
				"uses %s",
				wanted->algorithm,
				wanted->kind == ATMOST_GROUP ? "a group pool"
							     : "a pool",
				name);
	if (wanted->k_max > CLUSTER_K_MOST)
		return complain(why, ATMOST_ESHAPE,
				"k_max is %u; it can be at most %d",
				wanted->k_max, CLUSTER_K_MOST);
	return 0;
}

static unsigned count_names(const char *names)
{
	unsigned count = 1;

	for (; *names; names++)
		count += *names == ',';
	return count;
}

/* Returns the k that the caller wants.  0: if the pool exists, the caller
 * accepts its k. */
static unsigned wanted_k(const struct atmost_shape *wanted)
{
	return wanted->kind == ATMOST_MUTEX ? 1 : wanted->k;
}

/* Compares the shape with the pool that is there. */
static int compare(const struct remote_pool *pool,
		   const struct cluster_pool *there,
		   const struct atmost_shape *wanted, struct complaint *why)
{
	const char *name = pool->address.pool;

	if ((wanted->kind == ATMOST_GROUP) != there->groups)
		return complain(why, ATMOST_ESHAPE,
				"%s: kind is %s, but %s was asked for", name,
				there->groups ? "group" : "assignment",
				there->groups ? "another" : "group");
	if (wanted_k(wanted) && wanted_k(wanted) != there->k)
		return complain(why, ATMOST_ESHAPE,
				"%s: k is %u, but %u was asked for", name,
				there->k, wanted_k(wanted));
	return 0;
}

/* Looks at the pool; creates it if it is not there. */
static int look_or_create(struct connection *connection,
			  struct remote_pool *pool,
			  const struct atmost_shape *wanted,
			  struct cluster_look *look)
{
	const char *name = pool->address.pool;
	int error = cluster_look(connection, name, look);

	while (error == ATMOST_ENOTFOUND && wanted) {
		struct cluster_pool made = {
			.groups = wanted->kind == ATMOST_GROUP,
			.k = wanted_k(wanted),
			.names = wanted->names,
		};

		if (!made.k && made.names)
			made.k = count_names(made.names);

		error = cluster_create(connection, name, &made);
		/* Another process may remove the pool before this look. */
		if (!error)
			error = cluster_look(connection, name, look);
	}
	return error;
}

static void describe(const struct remote_pool *pool, unsigned k,
		     struct atmost_shape *is)
{
	*is = (struct atmost_shape){
		.kind = pool->kind,
		.k = k,
		.k_max = pool->names ? count_names(pool->names)
				     : CLUSTER_K_MOST,
		.names = pool->names,
		.sessions = pool->sessions,
		.algorithm = algorithm_name(pool->groups),
	};
}

static int open_remote(struct remote_pool *pool,
		       const struct atmost_shape *wanted, char *why)
{
	struct connection connection;
	struct cluster_look look;
	int error = library_connect(&connection, &pool->address, why);

	if (error)
		return error;
	error = look_or_create(&connection, pool, wanted, &look);
	if (!error) {
		if (wanted)
			error = compare(pool, &look.pool, wanted,
					&connection.why);
		pool->groups = look.pool.groups;
		pool->kind = pool->groups ? ATMOST_GROUP : ATMOST_ASSIGNMENT;
		if (wanted) {
			pool->kind = wanted->kind;
			pool->sessions = wanted->sessions;
		}
		pool->k = look.pool.k;
		pool->names_modified = look.names_modified;
		if (look.pool.names)
			pool->names = strdup(look.pool.names);
		if (!error && look.pool.names && !pool->names)
			error = complain(&connection.why, ATMOST_ENOMEM,
					 "out of memory");
		cluster_look_free(&look);
	}
	if (error)
		library_explain(&connection, error, why);
	connection_close(&connection);
	return error;
}

int library_open(struct remote_pool **pool, const char *address,
		 const struct atmost_shape *wanted, struct atmost_shape *is,
		 char *why)
{
	struct complaint complaint = { "out of memory" };
	struct remote_pool *made = calloc(1, sizeof *made);
	int error;

	if (!made)
		return say(why, ATMOST_ENOMEM, &complaint);
	error = read_address(&made->address, address, why);
	if (error) {
		free(made);
		return error;
	}
	error = lease_time(&made->seconds, &complaint);
	if (!error && wanted)
		error = check_shape(wanted, &complaint);
	made->root = address_root(&made->address, made->address.pool);
	if (!error && !made->root)
		error = ATMOST_ENOMEM;
	error = error ? say(why, error, &complaint)
		      : open_remote(made, wanted, why);
	if (error) {
		library_close(made);
		return error;
	}
	describe(made, made->k, is);
	*pool = made;
	return 0;
}

int library_remove(const char *text, bool unused_only, char *why)
{
	struct address address;
	struct connection connection;
	struct cluster_look look = { 0 };
	unsigned members;
	int error = read_address(&address, text, why);

	if (error)
		return error;
	error = library_connect(&connection, &address, why);
	if (!error) {
		/* The removal sends a request for each lease, and each gets
		 * this time. */
		connection.patience = patience;
		error = unused_only ? cluster_remove_unused(&connection,
							    address.pool, &look)
				    : cluster_remove(&connection, address.pool,
						     &members);
		if (error)
			library_explain(&connection, error, why);
		cluster_look_free(&look);
		connection_close(&connection);
	}
	address_free(&address);
	return error;
}

int library_inspect(struct remote_pool *pool, struct atmost_shape *is,
		    char *why)
{
	struct connection connection;
	struct cluster_look look;
	int error = library_connect(&connection, &pool->address, why);

	if (error)
		return error;
	error = cluster_look(&connection, pool->address.pool, &look);
	if (!error) {
		describe(pool, look.pool.k, is);
		cluster_look_free(&look);
	} else {
		library_explain(&connection, error, why);
	}
	connection_close(&connection);
	return error;
}

int library_resize(struct remote_pool *pool, unsigned k, char *why)
{
	const char *name = pool->address.pool;
	struct connection connection;
	int error = library_connect(&connection, &pool->address, why);
	bool again = true;

	if (error)
		return error;
	while (again && !error) {
		struct cluster_look look;
		struct cluster_pool changed;

		error = cluster_look(&connection, name, &look);
		if (error)
			break;
		changed = look.pool;
		changed.k = k;
		error = cluster_change(&connection, name, &look, &changed,
				       false);
		/* Another process has changed the pool since the look. */
		again = error == ATMOST_ENOTFOUND;
		if (again)
			error = 0;
		cluster_look_free(&look);
	}
	if (error)
		library_explain(&connection, error, why);
	connection_close(&connection);
	return error;
}
