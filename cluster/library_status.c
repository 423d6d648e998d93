/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the holders and waiters of a pool by one look at its keys. */
#include "cluster/library.h"
#include "cluster/seats.h"
#include "memory/etcd/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Converts the time of arrival by the member's CLOCK_REALTIME to the
 * CLOCK_MONOTONIC of this machine. */
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

static void describe(struct atmost_seat *seat, const struct cluster_seat *from)
{
	const struct member_text *member = &from->member;

	memset(seat, 0, sizeof *seat);
	seat->slot = from->slot;
	seat->position = from->position;
	seat->session = from->session;
	seat->pid = member->pid;
	seat->since = translate(member->since);
	seat->life = ATMOST_LIFE_CERTAIN;
	snprintf(seat->command, sizeof seat->command, "%s", member->command);
	snprintf(seat->label, sizeof seat->label, "%s", member->label);
	snprintf(seat->host, sizeof seat->host, "%s", member->host);
}

static unsigned count_members(const struct cluster_look *look, const char *root)
{
	unsigned count = 0;
	struct key key;

	for (size_t i = 0; i < look->keys.count; i++)
		count += key_parse(&key, root, look->keys.keys[i].key,
				   look->keys.keys[i].key_length) &&
			 key.range == STORE_MEMBER;
	return count;
}

/* Returns the number of holders and waiters, or an error of the connection. */
static int describe_all(struct connection *connection,
			const struct remote_pool *pool,
			const struct cluster_look *look,
			struct atmost_seat *seats, unsigned capacity,
			struct atmost_totals *totals)
{
	const unsigned present = look->holders + look->waiters;
	struct cluster_seat *found;
	int error = cluster_seats(connection, look, &found);

	if (error)
		return error;
	for (unsigned i = 0; i < capacity && i < present; i++)
		describe(&seats[i], &found[i]);
	free(found);
	*totals = (struct atmost_totals){
		.k = look->pool.k,
		.members = count_members(look, pool->root),
		.holders = look->holders,
		.waiters = look->waiters,
	};
	return (int)present;
}

int library_status(struct remote_pool *pool, struct atmost_seat *seats,
		   unsigned capacity, struct atmost_totals *totals, char *why)
{
	struct connection connection;
	struct cluster_look look;
	int result = library_connect(&connection, &pool->address, why);

	if (result)
		return result;
	result = cluster_look(&connection, pool->address.pool, &look);
	if (!result) {
		result = describe_all(&connection, pool, &look, seats, capacity,
				      totals);
		cluster_look_free(&look);
	}
	if (result < 0)
		library_explain(&connection, result, why);
	connection_close(&connection);
	return result;
}
