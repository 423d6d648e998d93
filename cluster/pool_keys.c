/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/pool_keys.h"

#include "memory/etcd/request.h"

#include <stdio.h>

/* The members come last, because the guards of an unused pool use the first two
 * ranges only. */
static const enum store_range ranges[POOL_RANGES] = { STORE_SLOT, STORE_WAITER,
						      STORE_MEMBER };

int pool_keys_of(struct pool_keys *keys, struct connection *connection,
		 const char *pool)
{
	int error = address_check_pool(pool, &connection->why);

	if (error)
		return error;
	/* address_read has refused a longer prefix. */
	_Static_assert(ADDRESS_PREFIX + 1 + ADDRESS_POOL + 20 < KEY_ROOM,
		       "every key fits");
	snprintf(keys->root, sizeof keys->root, "%.*s/%.*s", ADDRESS_PREFIX,
		 connection->address->prefix, ADDRESS_POOL, pool);
	key_print_range(keys->pool, keys->root, STORE_POOL);
	snprintf(keys->names, sizeof keys->names, "%.*s/names",
		 ADDRESS_PREFIX + 1 + ADDRESS_POOL, keys->root);
	for (unsigned i = 0; i < POOL_RANGES; i++)
		key_print_range(keys->range[i], keys->root, ranges[i]);
	return 0;
}

/* Adds one operation for each key and range. */
static unsigned add_all(struct text *body, const struct pool_keys *keys,
			void (*add)(struct text *, struct key_range))
{
	add(body, (struct key_range){ keys->pool, false });
	text_add(body, ",", 1);
	add(body, (struct key_range){ keys->names, false });
	for (unsigned i = 0; i < POOL_RANGES; i++) {
		text_add(body, ",", 1);
		add(body, (struct key_range){ keys->range[i], true });
	}
	return 2 + POOL_RANGES;
}

unsigned pool_keys_ranges(struct text *body, const struct pool_keys *keys)
{
	return add_all(body, keys, request_range);
}

unsigned pool_keys_deletes(struct text *body, const struct pool_keys *keys)
{
	return add_all(body, keys, request_delete);
}

void pool_keys_guard_unused(struct text *body, const struct pool_keys *keys)
{
	for (unsigned i = 0; i < 2; i++) {
		text_add(body, ",", 1);
		request_if_created(body,
				   (struct key_range){ keys->range[i], true },
				   0);
	}
}
