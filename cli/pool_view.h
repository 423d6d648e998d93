/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the holders and waiters of a pool, and describes them for messages. */
#ifndef ATMOST_CLI_POOL_VIEW_H
#define ATMOST_CLI_POOL_VIEW_H

#include <atmost/atmost.h>

struct pool_view {
	struct atmost_shape shape;
	struct atmost_totals totals;
	struct atmost_seat *seats; /* holders by slot, then waiters by
				      position */
	unsigned count;            /* number of seats */
};

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

/* An age is a text such as "12s", "3m05s", "2h07m" or "4d03h". */
struct age {
	char text[24];
};
struct age pool_view_age(struct timespec since);

/* Returns the seconds from `since` to now. */
double pool_view_seconds(struct timespec since);

#endif
