/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/pool.h"

#include "cluster/ask.h"
#include "cluster/pool_keys.h"
#include "memory/etcd/request.h"
#include "memory/etcd/values.h"

#include <string.h>

void cluster_look_free(struct cluster_look *look)
{
	seen_keys_free(&look->keys);
	*look = (struct cluster_look){ 0 };
}

static bool is_key(const struct seen_key *key, const char *name)
{
	return strcmp(key->key, name) == 0;
}

/* Reads the value of R/pool. */
static bool read_pool(struct cluster_pool *pool, const struct seen_key *key)
{
	uint64_t value;

	pool->groups = value_parse(&value, STORE_POOL, true, key->value,
				   key->value_length);
	if (!pool->groups && !value_parse(&value, STORE_POOL, false, key->value,
					  key->value_length))
		return false;
	if (store_pool_k(value) > CLUSTER_K_MOST)
		return false;
	pool->k = (unsigned)store_pool_k(value);
	pool->paused = store_pool_paused(value);
	return pool->groups || pool->k;
}

static void take_keys(struct cluster_look *look, const struct pool_keys *keys)
{
	for (size_t i = 0; i < look->keys.count; i++) {
		const struct seen_key *key = &look->keys.keys[i];
		struct key parsed;

		if (is_key(key, keys->names)) {
			look->pool.names = key->value;
			look->names_modified = key->modified;
		}
		if (!key_parse(&parsed, keys->root, key->key, key->key_length))
			continue;
		look->holders += parsed.range == STORE_SLOT;
		look->waiters += parsed.range == STORE_WAITER;
		look->members += parsed.range == STORE_MEMBER;
	}
}

static int take_look(struct connection *connection, const char *name,
		     const struct pool_keys *keys, struct cluster_look *look)
{
	const struct seen_key *pool = NULL;

	memcpy(look->root, keys->root, sizeof look->root);
	look->revision = look->keys.revision;
	for (size_t i = 0; i < look->keys.count; i++)
		if (is_key(&look->keys.keys[i], keys->pool))
			pool = &look->keys.keys[i];
	if (!pool)
		return complain(&connection->why, ATMOST_ENOTFOUND,
				"there is no pool %s at %s", name,
				connection->address->text);
	look->modified = pool->modified;
	if (!read_pool(&look->pool, pool))
		return complain(&connection->why, ATMOST_EFORMAT,
				"another program or another version of atmost "
				"has written the pool %s at %s: its key %s has "
				"the value '%.60s'",
				name, connection->address->text, keys->pool,
				pool->value);
	take_keys(look, keys);
	return 0;
}

int cluster_look(struct connection *connection, const char *name,
		 struct cluster_look *look)
{
	struct transaction_form form = { 0 };
	struct pool_keys keys;
	struct text *body = connection_body(connection);
	int made, error = pool_keys_of(&keys, connection, name);

	*look = (struct cluster_look){ 0 };
	if (error)
		return error;
	request_begin(body);
	request_success(body);
	form.ranges = pool_keys_ranges(body, &keys);
	request_end(body);
	error = ask_transaction(connection, &form, &made, &look->keys);
	if (error)
		return error;
	error = take_look(connection, name, &keys, look);
	if (error)
		cluster_look_free(look);
	return error;
}

/* Returns the number of slot names; 0: one of them is empty. */
static unsigned count_names(const char *names)
{
	unsigned count = 0;

	for (;; names++) {
		const size_t length = strcspn(names, ",");

		if (!length)
			return 0;
		count++;
		names += length;
		if (!*names)
			return count;
	}
}

static int check_pool(struct connection *connection, const char *name,
		      const struct cluster_pool *pool)
{
	struct complaint *why = &connection->why;

	if (!pool->groups && !pool->k)
		return complain(why, ATMOST_ESHAPE,
				"pool %s: k must be 1 or more; only a group "
				"pool can have no limit",
				name);
	if (pool->k > CLUSTER_K_MOST)
		return complain(why, ATMOST_ESHAPE,
				"pool %s: k is %u; it can be at most %d", name,
				pool->k, CLUSTER_K_MOST);
	if (!pool->names)
		return 0;
	if (pool->groups)
		return complain(why, ATMOST_ESHAPE,
				"pool %s: the slots of a group pool have no "
				"names",
				name);
	if (strlen(pool->names) > CLUSTER_NAMES_MOST)
		return complain(why, ATMOST_ESHAPE,
				"pool %s: the slot names have more than %d "
				"bytes",
				name, CLUSTER_NAMES_MOST);
	if (count_names(pool->names) < pool->k)
		return complain(why, ATMOST_ESHAPE,
				"pool %s: there are fewer slot names than "
				"slots, or one of the names is empty",
				name);
	return 0;
}

/* Adds the writes of the settings.  Writes the names only if they are new,
 * because cluster_names_hold compares the revision of R/names.  Returns the
 * number of writes. */
static unsigned add_settings(struct text *body, const struct pool_keys *keys,
			     const struct cluster_pool *pool, bool names)
{
	char value[VALUE_ROOM];

	value_print(value, STORE_POOL, pool->groups,
		    store_pool(pool->k, pool->paused));
	request_put(body, keys->pool, value, 0);
	if (!names)
		return 1;
	text_add(body, ",", 1);
	if (pool->names)
		request_put(body, keys->names, pool->names, 0);
	else
		request_delete(body, (struct key_range){ keys->names, false });
	return 2;
}

int cluster_create(struct connection *connection, const char *name,
		   const struct cluster_pool *pool)
{
	struct transaction_form form = { .alternatives = 1 };
	struct seen_keys seen;
	struct pool_keys keys;
	struct text *body = connection_body(connection);
	int made, error = pool_keys_of(&keys, connection, name);

	if (!error)
		error = check_pool(connection, name, pool);
	if (error)
		return error;
	request_begin(body);
	request_success(body);
	request_nested(body);
	request_if_created(body, (struct key_range){ keys.pool, false }, 0);
	request_success(body);
	form.writes[0] = add_settings(body, &keys, pool, true);
	request_failure(body);
	request_nested_ends(body);
	request_end(body);
	error = ask_transaction(connection, &form, &made, &seen);
	if (!error)
		seen_keys_free(&seen);
	return error;
}

static bool same_names(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

/* etcd has not made the change.  Finds out whether a member prevented it. */
static int explain_refusal(struct connection *connection, const char *name,
			   const struct pool_keys *keys,
			   const struct cluster_look *before,
			   struct seen_keys *seen)
{
	struct cluster_look now = { .keys = *seen };
	int error = take_look(connection, name, keys, &now);

	*seen = (struct seen_keys){ 0 };
	if (!error && now.modified == before->modified)
		error = complain(&connection->why, ATMOST_EBUSY,
				 "pool %s at %s is in use: %u running, %u "
				 "waiting commands",
				 name, connection->address->text, now.holders,
				 now.waiters);
	else if (!error || error == ATMOST_ENOTFOUND)
		error = complain(&connection->why, ATMOST_ENOTFOUND,
				 "another process has changed pool %s at %s",
				 name, connection->address->text);
	cluster_look_free(&now);
	return error;
}

int cluster_change(struct connection *connection, const char *name,
		   const struct cluster_look *look,
		   const struct cluster_pool *pool, bool unused)
{
	const bool names = !same_names(look->pool.names, pool->names);
	struct transaction_form form = { .alternatives = 1 };
	struct seen_keys seen;
	struct pool_keys keys;
	struct text *body = connection_body(connection);
	int made, error = pool_keys_of(&keys, connection, name);

	if (!error)
		error = check_pool(connection, name, pool);
	if (error)
		return error;
	request_begin(body);
	request_success(body);
	request_nested(body);
	request_if_modified(body, (struct key_range){ keys.pool, false },
			    look->modified);
	if (unused || names)
		pool_keys_guard_unused(body, &keys);
	request_success(body);
	form.writes[0] = add_settings(body, &keys, pool, names);
	request_failure(body);
	request_nested_ends(body);
	text_add(body, ",", 1);
	form.ranges = pool_keys_ranges(body, &keys);
	request_end(body);
	error = ask_transaction(connection, &form, &made, &seen);
	if (error)
		return error;
	if (made < 0)
		error = explain_refusal(connection, name, &keys, look, &seen);
	seen_keys_free(&seen);
	return error;
}

int cluster_names_hold(struct connection *connection, const char *name,
		       const struct cluster_look *look)
{
	struct transaction_form form = { .ranges = 1 };
	struct seen_keys seen;
	struct pool_keys keys;
	struct text *body = connection_body(connection);
	int made, error = pool_keys_of(&keys, connection, name);

	if (error)
		return error;
	request_begin(body);
	request_success(body);
	request_range(body, (struct key_range){ keys.names, false });
	request_end(body);
	error = ask_transaction(connection, &form, &made, &seen);
	if (error)
		return error;
	if ((seen.count ? seen.keys[0].modified : 0) != look->names_modified)
		error = complain(&connection->why, ATMOST_ENOTFOUND,
				 "pool %s at %s got other slot names", name,
				 connection->address->text);
	seen_keys_free(&seen);
	return error;
}
