/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the holders and waiters of a pool, and describes them for messages. */
#ifndef ATMOST_CLI_POOL_VIEW_H
#define ATMOST_CLI_POOL_VIEW_H

#include <atmost/atmost.h>
#include <stdbool.h>

struct pool_view {
	struct atmost_shape shape;
	struct atmost_totals totals;
	struct atmost_seat *seats; /* holders by slot, then waiters by
				      position */
	unsigned count;            /* number of seats */
	/* Of each seat, in a pool in etcd; NULL: the pool is on this
	 * machine. */
	struct seat_far *far;
	const char *at; /* the address of the pools in etcd, or NULL */
	bool paused;
};

/* What the seat of a pool in etcd has besides. */
struct seat_far {
	bool here;      /* /proc of this process shows the member */
	uint64_t token; /* 0: the member waits */
	int64_t lease;
	int64_t granted, left; /* seconds; 0: not known */
};

/* Returns what the seat of a pool in etcd has besides, or NULL. */
const struct seat_far *pool_view_far(const struct pool_view *view,
				     const struct atmost_seat *seat);

/* Whether /proc of this process shows the process of the seat. */
bool pool_view_is_here(const struct pool_view *view,
		       const struct atmost_seat *seat);

/* Returns 0, or an error of the library.  After 0 the caller must call
 * pool_view_free. */
int pool_view_read(struct atmost *pool, struct pool_view *view);
void pool_view_free(struct pool_view *view);

/* For a holder that may be dead: the text says why the holder keeps its slot,
 * and what the user can do. */
struct doubt {
	char text[256];
};
struct doubt pool_view_doubt(const struct atmost_seat *seat, const char *pool);

/* For a member of a pool in etcd: the text says that the member has not
 * prolonged its lease in time; "" if it has. */
struct doubt pool_view_silence(const struct seat_far *far);

/* An age is a text such as "12s", "3m05s", "2h07m" or "4d03h". */
struct age {
	char text[24];
};
struct age pool_view_age(struct timespec since);

/* Returns the seconds from `since` to now. */
double pool_view_seconds(struct timespec since);

#endif
