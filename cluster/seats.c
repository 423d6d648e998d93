/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/seats.h"

#include "cluster/ask.h"
#include "memory/etcd/keys.h"
#include "memory/etcd/request.h"
#include "memory/etcd/values.h"

#include <stdlib.h>
#include <string.h>

/* Fills a seat from the key of a slot or of a waiter.  Until the seats are
 * sorted, the token of a waiter is its place in the queue. */
static void read_seat(struct cluster_seat *seat, const struct key *key,
		      const struct seen_key *seen, bool groups)
{
	*seat = (struct cluster_seat){
		.slot = key->range == STORE_SLOT ? (int)key->slot : -1,
		.token = (uint64_t)seen->created,
		.lease = seen->lease,
	};
	if (!value_parse(&seat->session, key->range, groups, seen->value,
			 seen->value_length))
		seat->session = 0;
}

static int by_place(const void *a, const void *b)
{
	const struct cluster_seat *one = a, *other = b;

	if ((one->slot < 0) != (other->slot < 0))
		return one->slot < 0 ? 1 : -1;
	if (one->slot >= 0)
		return one->slot < other->slot ? -1 : 1;
	return one->token < other->token ? -1 : one->token > other->token;
}

static int by_lease(const void *a, const void *b)
{
	const struct cluster_seat *one = *(struct cluster_seat *const *)a;
	const struct cluster_seat *other = *(struct cluster_seat *const *)b;

	return one->lease < other->lease ? -1 : one->lease > other->lease;
}

/* Reads the keys of the members into the seats of their leases. */
static bool read_members(const struct cluster_look *look,
			 struct cluster_seat *seats, unsigned count)
{
	struct cluster_seat **sorted = calloc(count + 1, sizeof(void *));

	if (!sorted)
		return false;
	for (unsigned i = 0; i < count; i++)
		sorted[i] = &seats[i];
	qsort(sorted, count, sizeof *sorted, by_lease);
	for (size_t i = 0; i < look->keys.count; i++) {
		const struct seen_key *seen = &look->keys.keys[i];
		const struct cluster_seat wanted = { .lease = seen->lease };
		const struct cluster_seat *key_pointer = &wanted;
		struct cluster_seat **found;
		struct key key;

		if (!key_parse(&key, look->root, seen->key, seen->key_length) ||
		    key.range != STORE_MEMBER || key.lease != seen->lease)
			continue;
		found = bsearch(&key_pointer, sorted, count, sizeof *sorted,
				by_lease);
		if (found)
			member_text_read(&(*found)->member, seen->value,
					 seen->value_length);
	}
	free(sorted);
	return true;
}

int cluster_seats(struct connection *connection,
		  const struct cluster_look *look, struct cluster_seat **seats)
{
	const unsigned all = look->holders + look->waiters;
	struct cluster_seat *made = calloc(all + 1, sizeof *made);
	unsigned count = 0, position = 0;

	for (size_t i = 0; made && i < look->keys.count; i++) {
		const struct seen_key *seen = &look->keys.keys[i];
		struct key key;

		if (key_parse(&key, look->root, seen->key, seen->key_length) &&
		    (key.range == STORE_SLOT || key.range == STORE_WAITER))
			read_seat(&made[count++], &key, seen,
				  look->pool.groups);
	}
	if (made)
		qsort(made, count, sizeof *made, by_place);
	if (!made || !read_members(look, made, count)) {
		free(made);
		return complain(&connection->why, ATMOST_ENOMEM,
				"out of memory");
	}
	for (unsigned i = 0; i < count; i++) {
		if (made[i].slot >= 0)
			continue;
		made[i].token = 0;
		made[i].position = ++position;
	}
	*seats = made;
	return 0;
}

static int ask_lease(struct connection *connection, struct cluster_seat *seat)
{
	const struct exchange *exchange = &connection->exchange;
	int error;

	request_time_to_live(connection_body(connection), seat->lease);
	error = ask(connection, "/v3/lease/timetolive");
	while (!error &&
	       !answer_time_to_live(exchange->answer.bytes,
				    exchange->answer.length, seat->lease,
				    &seat->left, &seat->granted))
		error = ask_again(connection,
				  "the answer about a lease is bad");
	return error;
}

int cluster_seats_ask_leases(struct connection *connection,
			     const struct cluster_look *look,
			     struct cluster_seat *seats)
{
	const unsigned next = look->pool.k ? look->pool.k : 1;
	int error = 0;

	for (unsigned i = 0; !error && i < look->holders + look->waiters; i++)
		if (seats[i].lease && seats[i].position <= next)
			error = ask_lease(connection, &seats[i]);
	return error;
}
