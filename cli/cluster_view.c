/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cluster_view.h"

#include "cli/cluster_shape.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Converts a time since 1970 by the member's clock to a time by our
 * CLOCK_MONOTONIC.  The result is about right if the clocks of both machines
 * are. */
static struct timespec monotonic_time(int64_t since)
{
	const int64_t second = 1000000000;
	struct timespec real, mono;
	int64_t then;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	then = mono.tv_sec * second + mono.tv_nsec;
	if (since)
		then -= real.tv_sec * second + real.tv_nsec - since;
	/* A pool can be older than this machine's last start. */
	return (struct timespec){
		.tv_sec = then / second - (then % second < 0),
		.tv_nsec = then % second + (then % second < 0) * second,
	};
}

static void fill_seat(struct atmost_seat *seat, struct seat_far *far,
		      const struct cluster_seat *from)
{
	seat->slot = from->slot;
	seat->position = from->position;
	seat->pid = from->member.pid;
	seat->session = from->session;
	seat->since = monotonic_time(from->member.since);
	seat->life = ATMOST_LIFE_CERTAIN;
	memcpy(seat->command, from->member.command, sizeof seat->command);
	memcpy(seat->label, from->member.label, sizeof seat->label);
	memcpy(seat->host, from->member.host, sizeof seat->host);
	far->here = member_text_is_here(&from->member);
	far->token = from->token;
	far->lease = from->lease;
	far->granted = from->granted;
	far->left = from->left;
}

static int fill_view(struct place *place, struct pool_view *view,
		     const struct cluster_look *look,
		     const struct cluster_seat *seats)
{
	*view = (struct pool_view){
		.shape = cluster_shape(&look->pool),
		.totals = { .k = look->pool.k,
			    .members = look->members,
			    .holders = look->holders,
			    .waiters = look->waiters },
		.count = look->holders + look->waiters,
		.at = place->address.text,
		.paused = look->pool.paused,
	};
	view->seats = calloc(view->count + 1, sizeof *view->seats);
	view->far = calloc(view->count + 1, sizeof *view->far);
	if (!view->seats || !view->far) {
		pool_view_free(view);
		return complain(&place->connection.why, ATMOST_ENOMEM,
				"out of memory");
	}
	for (unsigned i = 0; i < view->count; i++)
		fill_seat(&view->seats[i], &view->far[i], &seats[i]);
	return 0;
}

int cluster_view_read(struct place *place, const char *pool, bool leases,
		      struct pool_view *view, struct cluster_look *look)
{
	struct connection *connection = &place->connection;
	struct cluster_seat *seats = NULL;
	int error = cluster_look(connection, pool, look);

	if (error)
		return error;
	error = cluster_seats(connection, look, &seats);
	if (!error && leases)
		error = cluster_seats_ask_leases(connection, look, seats);
	if (!error)
		error = fill_view(place, view, look, seats);
	free(seats);
	if (error)
		cluster_look_free(look);
	return error;
}
