/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/removal.h"

#include "cluster/ask.h"
#include "cluster/pool_keys.h"
#include "memory/etcd/request.h"

#include <string.h>

/* Begins the body of a transaction with one alternative. */
static struct text *begin(struct connection *connection)
{
	struct text *body = connection_body(connection);

	request_begin(body);
	request_success(body);
	request_nested(body);
	return body;
}

static void end(struct text *body)
{
	request_failure(body);
	request_nested_ends(body);
	request_end(body);
}

/* Deletes all keys if R/pool is still that of the look, and no member holds a
 * slot or waits.  *made tells whether etcd has deleted them. */
static int delete_unused(struct connection *connection,
			 const struct pool_keys *keys,
			 const struct cluster_look *look, bool *made)
{
	struct transaction_form form = { .alternatives = 1 };
	struct seen_keys seen;
	struct text *body = begin(connection);
	int alternative, error;

	request_if_modified(body, (struct key_range){ keys->pool, false },
			    look->modified);
	pool_keys_guard_unused(body, keys);
	request_success(body);
	form.writes[0] = pool_keys_deletes(body, keys);
	end(body);
	error = ask_transaction(connection, &form, &alternative, &seen);
	if (error)
		return error;
	seen_keys_free(&seen);
	*made = alternative == 0;
	return 0;
}

int cluster_remove_unused(struct connection *connection, const char *name,
			  struct cluster_look *look)
{
	struct pool_keys keys;
	bool made = false, tried = false;
	int error = pool_keys_of(&keys, connection, name);

	*look = (struct cluster_look){ 0 };
	while (!error) {
		cluster_look_free(look);
		error = cluster_look(connection, name, look);
		/* An earlier request of this call may have removed the pool,
		 * and its answer was lost. */
		if (error == ATMOST_ENOTFOUND && tried)
			return 0;
		if (!error && look->holders + look->waiters)
			return complain(&connection->why, ATMOST_EBUSY,
					"pool %s at %s is in use: %u running, "
					"%u waiting commands",
					name, connection->address->text,
					look->holders, look->waiters);
		if (!error)
			error = delete_unused(connection, &keys, look, &made);
		tried = true;
		if (made)
			break;
	}
	cluster_look_free(look);
	return error;
}

/* Revokes a lease.  A lease that is gone already is no error. */
static int revoke(struct connection *connection, int64_t lease, bool *found)
{
	const struct exchange *exchange = &connection->exchange;
	int error;

	request_lease(connection_body(connection), lease);
	error = ask(connection, "/v3/lease/revoke");
	while (!error &&
	       !answer_revoke(exchange->answer.bytes, exchange->answer.length))
		error = ask_again(connection, "the answer to a revoke is bad");
	*found = !error;
	return exchange->result == WIRE_REFUSED &&
			       exchange->code == GRPC_NOT_FOUND
		       ? 0
		       : error;
}

/* Reads all keys of a pool, whatever R/pool says; ATMOST_ENOTFOUND if there are
 * none. */
static int read_keys(struct connection *connection, const char *name,
		     const struct pool_keys *keys, struct seen_keys *seen)
{
	struct transaction_form form = { 0 };
	struct text *body = connection_body(connection);
	int made, error;

	request_begin(body);
	request_success(body);
	form.ranges = pool_keys_ranges(body, keys);
	request_end(body);
	error = ask_transaction(connection, &form, &made, seen);
	if (error || seen->count)
		return error;
	seen_keys_free(seen);
	return complain(&connection->why, ATMOST_ENOTFOUND,
			"there is no pool %s at %s", name,
			connection->address->text);
}

/* Whether an earlier key has the same lease. */
static bool seen_before(const struct seen_keys *seen, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (seen->keys[i].lease == seen->keys[at].lease)
			return true;
	return false;
}

static int delete_all(struct connection *connection,
		      const struct pool_keys *keys)
{
	struct transaction_form form = { .alternatives = 1 };
	struct seen_keys seen;
	struct text *body = begin(connection);
	int made, error;

	request_success(body);
	form.writes[0] = pool_keys_deletes(body, keys);
	end(body);
	error = ask_transaction(connection, &form, &made, &seen);
	if (!error)
		seen_keys_free(&seen);
	return error;
}

int cluster_remove(struct connection *connection, const char *name,
		   unsigned *members)
{
	struct seen_keys seen = { 0 };
	struct pool_keys keys;
	int error = pool_keys_of(&keys, connection, name);

	*members = 0;
	if (!error)
		error = read_keys(connection, name, &keys, &seen);
	for (size_t i = 0; !error && i < seen.count; i++) {
		bool found;

		if (!seen.keys[i].lease || seen_before(&seen, i))
			continue;
		error = revoke(connection, seen.keys[i].lease, &found);
		*members += !error && found;
	}
	seen_keys_free(&seen);
	return error ? error : delete_all(connection, &keys);
}

/* Deletes the key if it is still as it was seen. */
static int delete_key(struct connection *connection, const struct seen_key *key)
{
	const struct key_range one = { key->key, false };
	struct transaction_form form = { .alternatives = 1, .writes = { 1 } };
	struct seen_keys seen;
	struct text *body = begin(connection);
	int made, error;

	request_if_modified(body, one, key->modified);
	request_success(body);
	request_delete(body, one);
	end(body);
	error = ask_transaction(connection, &form, &made, &seen);
	if (!error)
		seen_keys_free(&seen);
	return error;
}

/* Returns whether the pool has the member's key R/m/L for this lease. */
static bool has_member(const struct seen_keys *seen, const char *root,
		       int64_t lease)
{
	const struct key member = { .range = STORE_MEMBER, .lease = lease };
	char text[KEY_ROOM];

	key_print(text, root, &member);
	for (size_t i = 0; i < seen->count; i++)
		if (strcmp(seen->keys[i].key, text) == 0)
			return seen->keys[i].lease == lease;
	return false;
}

static int repair_key(struct connection *connection, const char *root,
		      const struct seen_keys *seen, size_t at,
		      struct cluster_repair *repair)
{
	const struct seen_key *seen_key = &seen->keys[at];
	struct key key;
	bool found;
	int error;

	/* Leaves the keys of other programs alone. */
	if (!key_parse(&key, root, seen_key->key, seen_key->key_length) ||
	    key.range == STORE_POOL)
		return 0;
	if (!seen_key->lease) {
		error = delete_key(connection, seen_key);
		repair->deleted += !error;
		return error;
	}
	if (has_member(seen, root, seen_key->lease) || seen_before(seen, at))
		return 0;
	error = revoke(connection, seen_key->lease, &found);
	repair->revoked += !error && found;
	return error;
}

int cluster_repair(struct connection *connection, const char *name,
		   struct cluster_repair *repair)
{
	struct seen_keys seen = { 0 };
	struct pool_keys keys;
	int error = pool_keys_of(&keys, connection, name);

	*repair = (struct cluster_repair){ 0 };
	if (!error)
		error = read_keys(connection, name, &keys, &seen);
	for (size_t i = 0; !error && i < seen.count; i++)
		error = repair_key(connection, keys.root, &seen, i, repair);
	seen_keys_free(&seen);
	return error;
}
