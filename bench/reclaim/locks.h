/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A lock that becomes free when its holder is killed.  The parent makes the
 * lock.  The holder and the waiter are children, and each first joins the lock.
 */
#ifndef ATMOST_BENCH_RECLAIM_LOCKS_H
#define ATMOST_BENCH_RECLAIM_LOCKS_H

#include <stdbool.h>

struct lock {
	const char *name, *algorithm;
	bool group;
	bool (*make)(const struct lock *self);
	bool (*join)(unsigned number); /* in a child; 1: the holder, 2: the
					  waiter */
	bool (*enter)(void);
	bool (*leave)(void);
	void (*remove)(void);
};

enum { LOCKS = 6 };

extern const struct lock reclaim_locks[LOCKS];

#endif
