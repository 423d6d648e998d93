/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_view.h"

#include <stdio.h>
#include <stdlib.h>

/* Room for members that join between the two calls of atmost_status. */
enum { EXTRA_SEATS = 16 };

int pool_view_read(struct atmost *pool, struct pool_view *view)
{
	int count = atmost_inspect(pool, &view->shape);
	unsigned capacity;

	view->seats = NULL;
	view->far = NULL;
	view->at = NULL;
	view->paused = false;
	if (count < 0)
		return count;
	count = atmost_status(pool, NULL, 0, &view->totals);
	if (count < 0)
		return count;
	capacity = (unsigned)count + EXTRA_SEATS;
	view->seats = calloc(capacity, sizeof *view->seats);
	if (!view->seats)
		return ATMOST_ENOMEM;
	view->shape.k = view->totals.k;
	if (count > 0) {
		unsigned found = view->totals.found;

		count = atmost_status(pool, view->seats, capacity,
				      &view->totals);
		view->totals.found += found;
	}
	if (count < 0) {
		pool_view_free(view);
		return count;
	}
	view->count = (unsigned)count < capacity ? (unsigned)count : capacity;
	return 0;
}

void pool_view_free(struct pool_view *view)
{
	free(view->seats);
	free(view->far);
	view->seats = NULL;
	view->far = NULL;
}

const struct seat_far *pool_view_far(const struct pool_view *view,
				     const struct atmost_seat *seat)
{
	return view->far ? &view->far[seat - view->seats] : NULL;
}

bool pool_view_is_here(const struct pool_view *view,
		       const struct atmost_seat *seat)
{
	const struct seat_far *far = pool_view_far(view, seat);

	return !far || far->here;
}

double pool_view_seconds(struct timespec since)
{
	struct timespec now;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - since.tv_sec) +
		  (double)(now.tv_nsec - since.tv_nsec) / 1e9;
	return seconds > 0 ? seconds : 0;
}

struct doubt pool_view_silence(const struct seat_far *far)
{
	struct doubt doubt = { "" };
	const long long silent = (long long)(far->granted - far->left);

	/* A member tells etcd that it lives each third of its lease. */
	if (far->left > 0 && silent > far->granted / 2)
		snprintf(doubt.text, sizeof doubt.text,
			 "not heard of for %lld s; if it stays silent, its "
			 "place is free in %lld s",
			 silent, (long long)far->left);
	return doubt;
}

struct doubt pool_view_doubt(const struct atmost_seat *seat, const char *pool)
{
	struct doubt doubt;

	if (seat->life == ATMOST_LIFE_UNLOCKED)
		snprintf(doubt.text, sizeof doubt.text,
			 "alive, but it closed the file descriptor of atmost; "
			 "it keeps its slot until it ends");
	else
		snprintf(doubt.text, sizeof doubt.text,
			 "runs in a pid namespace that is not visible from "
			 "here; if it has ended, 'atmost repair %s --free %d' "
			 "frees its slot",
			 pool, seat->slot);
	return doubt;
}

struct age pool_view_age(struct timespec since)
{
	unsigned long s = (unsigned long)pool_view_seconds(since);
	struct age age;

	if (s < 60)
		snprintf(age.text, sizeof age.text, "%lus", s);
	else if (s < 3600)
		snprintf(age.text, sizeof age.text, "%lum%02lus", s / 60,
			 s % 60);
	else if (s < 86400)
		snprintf(age.text, sizeof age.text, "%luh%02lum", s / 3600,
			 s / 60 % 60);
	else
		snprintf(age.text, sizeof age.text, "%lud%02luh", s / 86400,
			 s / 3600 % 24);
	return age;
}
