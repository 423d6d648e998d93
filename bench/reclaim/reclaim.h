/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Something that can be held, and comes back when its holder is killed.  The
 * parent makes it; holder and waiter are children, which join it first.
 */
#ifndef ATMOST_BENCH_RECLAIM_H
#define ATMOST_BENCH_RECLAIM_H

#include <stdbool.h>

struct keeper {
	const char *name, *algorithm;
	bool group;
	bool (*make)(const struct keeper *self);
	bool (*join)(unsigned number); /* in a child: of the holder 1, else 2 */
	bool (*take)(void);            /* waits */
	bool (*leave)(void);
	void (*remove)(void);
};

extern const struct keeper reclaim_keepers[];
extern const unsigned reclaim_keeper_count;

#endif
