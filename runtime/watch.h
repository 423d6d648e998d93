/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a waiter notices deaths: it looks for dead members before it sleeps, and
 * its sleep ends when a member that it watches dies.
 */
#ifndef ATMOST_RUNTIME_WATCH_H
#define ATMOST_RUNTIME_WATCH_H

#include "runtime/pool.h"

struct watch {
	struct wait_watch sleep; /* what the next sleep watches */
	unsigned short_naps;     /* sleeps that `sleep.nap` has shortened */
	bool one_only; /* the next sleep, the first, watches one holder only */
};

/* A wait begins. */
void watch_begin(struct watch *watch);

/*
 * Member id waits, and its pass did not let it in.  True: a dead member was
 * recovered, make another pass.  Otherwise watch->sleep is what the sleep that
 * follows shall watch.  `first`: the wait has not slept yet.
 */
bool watch_before_sleep(struct watch *watch, struct atmost *pool, unsigned id,
			struct wait_set *wait, bool first);

/* Closes the descriptors that were opened for the sleep. */
void watch_after_sleep(struct watch *watch);

#endif
