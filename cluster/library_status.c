/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the holders and waiters of a pool by one look at its keys. */
#include "cluster/library.h"

#include "cluster/member_text.h"
#include "cluster/pool.h"
#include "memory/etcd/keys.h"
#include "memory/etcd/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A key of the pool and where it belongs. */
struct entry {
	struct key key;
	const struct seen_key *seen;
};

/* Slots come first, sorted by number; then waiters, in the order of their
 * tickets; then members, by lease. */
static int in_order(const void *a, const void *b)
{
	static const int rank[STORE_RANGES] = {
		[STORE_POOL] = 3, [STORE_MEMBER] = 2, [STORE_WAITER] = 1
	};
	const struct entry *x = a, *y = b;
	int64_t first, second;

	if (x->key.range != y->key.range)
		return rank[x->key.range] < rank[y->key.range] ? -1 : 1;
	if (x->key.range == STORE_SLOT) {
		first = x->key.slot;
		second = y->key.slot;
	} else if (x->key.range == STORE_WAITER) {
		first = x->seen->created;
		second = y->seen->created;
	} else {
		first = x->key.lease;
		second = y->key.lease;
	}
	return first < second ? -1 : first > second;
}

static int by_lease(const void *lease, const void *entry)
{
	const int64_t wanted = *(const int64_t *)lease;
	const int64_t there = ((const struct entry *)entry)->key.lease;

	return wanted < there ? -1 : wanted > there;
}

/* The member's clock said when it arrived; ours is another one. */
static struct timespec translate(int64_t since)
{
	enum { SECOND = 1000000000 };
	struct timespec real, here;
	int64_t ns;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &here);
	ns = (int64_t)real.tv_sec * SECOND + real.tv_nsec;
	ns = since && since < ns ? ns - since : 0;
	ns = (int64_t)here.tv_sec * SECOND + here.tv_nsec - ns;
	if (ns < 0)
		ns = 0;
	return (struct timespec){ .tv_sec = (time_t)(ns / SECOND),
				  .tv_nsec = (long)(ns % SECOND) };
}

static void describe(struct atmost_seat *seat, const struct entry *entry,
		     const struct entry *members, size_t count, bool groups)
{
	const int64_t lease = entry->seen->lease;
	const struct entry *member = count ? bsearch(&lease, members, count,
						     sizeof *members, by_lease)
					   : NULL;
	struct member_text text = { 0 };

	memset(seat, 0, sizeof *seat);
	seat->slot = entry->key.range == STORE_SLOT ? (int)entry->key.slot : -1;
	if (member)
		member_text_read(&text, member->seen->value,
				 member->seen->value_length);
	if (groups &&
	    !value_parse(&seat->session, entry->key.range, true,
			 entry->seen->value, entry->seen->value_length))
		seat->session = 0;
	seat->pid = text.pid;
	seat->since = translate(text.since);
	seat->life = ATMOST_LIFE_CERTAIN;
	snprintf(seat->command, sizeof seat->command, "%s", text.command);
	snprintf(seat->label, sizeof seat->label, "%s", text.label);
	snprintf(seat->host, sizeof seat->host, "%s", text.host);
}

/* Sorts the keys of the pool.  Returns NULL if memory runs out. */
static struct entry *sort(const struct cluster_look *look, const char *root,
			  size_t *count)
{
	const struct seen_keys *keys = &look->keys;
	struct entry *entries = calloc(keys->count + 1, sizeof *entries);

	*count = 0;
	for (size_t i = 0; entries && i < keys->count; i++) {
		struct entry *entry = &entries[*count];

		entry->seen = &keys->keys[i];
		*count += key_parse(&entry->key, root, keys->keys[i].key,
				    keys->keys[i].key_length);
	}
	if (entries)
		qsort(entries, *count, sizeof *entries, in_order);
	return entries;
}

static int describe_all(const struct cluster_look *look,
			const struct entry *entries, size_t count,
			struct atmost_seat *seats, unsigned capacity,
			struct atmost_totals *totals)
{
	size_t present, members;
	unsigned filled = 0;

	*totals = (struct atmost_totals){ .k = look->pool.k };
	for (present = 0; present < count; present++) {
		const enum store_range range = entries[present].key.range;

		if (range != STORE_SLOT && range != STORE_WAITER)
			break;
		totals->holders += range == STORE_SLOT;
		totals->waiters += range == STORE_WAITER;
	}
	for (members = present; members < count; members++)
		if (entries[members].key.range != STORE_MEMBER)
			break;
	totals->members = (unsigned)(members - present);
	for (; filled < capacity && filled < present; filled++) {
		describe(&seats[filled], &entries[filled], &entries[present],
			 members - present, look->pool.groups);
		if (filled >= totals->holders)
			seats[filled].position = filled - totals->holders + 1;
	}
	return (int)present;
}

int library_status(struct remote_pool *pool, struct atmost_seat *seats,
		   unsigned capacity, struct atmost_totals *totals, char *why)
{
	struct connection connection;
	struct cluster_look look;
	struct entry *entries;
	size_t count;
	int result = library_connect(&connection, &pool->address, why);

	if (result)
		return result;
	result = cluster_look(&connection, pool->address.pool, &look);
	if (result) {
		library_explain(&connection, result, why);
	} else {
		entries = sort(&look, pool->root, &count);
		result = entries ? describe_all(&look, entries, count, seats,
						capacity, totals)
				 : ATMOST_ENOMEM;
		free(entries);
		cluster_look_free(&look);
	}
	connection_close(&connection);
	return result;
}
