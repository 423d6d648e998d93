/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cluster_open.h"

#include "cli/cluster_shape.h"
#include "cli/pool.h"
#include "cli/pool_rules.h"
#include "cli/safe_text.h"
#include "cli/slot_names.h"
#include "cli/usage.h"
#include "cluster/credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print_complaint(const char *command, const struct complaint *why,
			   int error)
{
	if (pool_exit_for(error) == POOL_USAGE)
		return usage_error(command, "%s", why->text);
	fprintf(stderr, "atmost %s: ", command);
	safe_text_print(stderr, why->text);
	fputc('\n', stderr);
	return pool_exit_for(error);
}

int cluster_complain(const char *command, const struct place *place, int error)
{
	return cluster_complain_of(command, place, NULL, error);
}

int cluster_complain_of(const char *command, const struct place *place,
			const char *pool, int error)
{
	int code = print_complaint(command, &place->connection.why, error);

	if (error == ATMOST_EFORMAT)
		fprintf(stderr,
			"when no command uses the pool any more, remove it "
			"with 'atmost remove --force %s%s%s'\n",
			place->name, pool ? "/" : "", pool ? pool : "");
	return code;
}

/* Writes the name of the pool for messages. */
static bool write_name(struct place *place)
{
	const struct address *address = &place->address;
	const char *hosts = strstr(address->text, "://") + 3;

	return asprintf(&place->name, "etcd%s://%s%s%s%s%s",
			address->tls ? "s" : "",
			address->user ? address->user : "",
			address->user ? "@" : "", hosts, place->pool ? "/" : "",
			place->pool ? place->pool : "") >= 0;
}

int cluster_find(const char *command, const char *at, const char *pool,
		 struct place *place)
{
	const bool whole = pool && address_is_one(pool);
	struct complaint why;
	int error;

	*place = (struct place){ 0 };
	error = address_read(&place->address, whole ? pool : at, whole, &why);
	if (!error)
		error = credentials_read(&place->address, &why);
	if (!error && pool && !whole)
		error = address_check_pool(pool, &why);
	if (!error && pool)
		place->pool = strdup(whole ? place->address.pool : pool);
	if (!error && ((pool && !place->pool) || !write_name(place)))
		error = complain(&why, ATMOST_ENOMEM, "out of memory");
	if (!error)
		return 0;
	cluster_close(place);
	return print_complaint(command, &why, error);
}

/* Returns a time in which every endpoint can be tried: an attempt takes 2
 * seconds if the endpoint does not answer. */
static int64_t patience(const struct place *place, unsigned more)
{
	const int64_t second = 1000000000;

	return (2 * place->address.count + more) * second;
}

int cluster_open(const char *command, const char *at, const char *pool,
		 struct place *place)
{
	struct complaint why;
	int code = cluster_find(command, at, pool, place), error;

	if (code)
		return code;
	error = connection_open(&place->connection, &place->address, &why);
	if (error) {
		cluster_close(place);
		return print_complaint(command, &why, error);
	}
	/* Waits for an etcd that is busy or elects a leader. */
	place->connection.patience = patience(place, 8);
	return 0;
}

void cluster_close(struct place *place)
{
	connection_close(&place->connection);
	address_free(&place->address);
	free(place->pool);
	free(place->name);
	*place = (struct place){ 0 };
}

void cluster_allow_time(struct place *place)
{
	place->connection.until = wire_now() + patience(place, 3);
}

/* The settings of a pool that the request creates. */
static struct cluster_pool pool_for(const struct pool_request *request)
{
	struct cluster_pool pool = { .groups = request->group,
				     .k = request->k,
				     .names = request->names };

	if (!pool.k && !pool.groups)
		pool.k = pool.names ? slot_names_count(pool.names) : 1;
	return pool;
}

/* The settings that the request gives to a pool that is there. */
static struct cluster_pool next_pool(const struct cluster_pool *there,
				     const struct pool_request *request)
{
	struct cluster_pool pool = *there;

	if (request->names) {
		pool.names = request->names;
		pool.k = slot_names_count(request->names);
	}
	if (request->k)
		pool.k = request->k;
	return pool;
}

/* Returns an error of cluster/, or 0: then *code is the exit code, and *again
 * says that the pool has changed and must be looked at again. */
static int open_once(struct place *place, const struct pool_request *request,
		     struct cluster_look *look, int *code, bool *again)
{
	struct connection *connection = &place->connection;
	int error = cluster_look(connection, place->pool, look);
	struct atmost_shape there;
	struct cluster_pool pool;

	*again = false;
	*code = 0;
	if (error == ATMOST_ENOTFOUND) {
		pool = pool_for(request);
		*again = true;
		return cluster_create(connection, place->pool, &pool);
	}
	if (error)
		return error;
	there = cluster_shape(&look->pool);
	*code = pool_rules_refuse(&there, request);
	if (!*code && pool_rules_differ(&there, request)) {
		pool = next_pool(&look->pool, request);
		error = cluster_change(connection, place->pool, look, &pool,
				       true);
		*again = !error || error == ATMOST_ENOTFOUND;
		if (error == ATMOST_EBUSY)
			*code = pool_rules_keep(&there, request);
		if (*again || error == ATMOST_EBUSY)
			error = 0;
	}
	if (error || *code || *again)
		cluster_look_free(look);
	return error;
}

int cluster_open_pool(struct place *place, const struct pool_request *request,
		      struct cluster_look *look, int *error)
{
	enum { TRIES = 1000 };
	struct pool_request named = *request;
	bool again = true;
	int code = 0;

	named.name = place->name;
	for (unsigned i = 0; again && i < TRIES; i++) {
		*error = open_once(place, &named, look, &code, &again);
		if (*error == ATMOST_EUNREACHED)
			return POOL_NOT_REACHED;
		if (*error)
			return cluster_complain("run", place, *error);
		if (code)
			return code;
	}
	if (!again)
		return 0;
	fprintf(stderr,
		"atmost run: other commands keep changing the settings of pool "
		"%s; give all of them the same -k and --names\n",
		place->name);
	return POOL_NOT_NOW;
}
