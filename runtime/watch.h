/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a waiter notices deaths: it looks for dead members before it sleeps, and
 * its sleep ends when a member that it watches dies.
 */
#ifndef ATMOST_RUNTIME_WATCH_H
#define ATMOST_RUNTIME_WATCH_H

#include "runtime/watched.h"

struct watch {
	struct watched next; /* what the next sleep watches */
	unsigned short_naps; /* how many sleeps next.sleep.nap has shortened */
	bool one_only; /* the first sleep comes next: it watches one holder */
};

/*
 * Called when a wait begins.  `interrupt` may be NULL; otherwise a sleep ends
 * when a signal handler of this thread sets *interrupt.  `patient`: naps may be
 * longer than wait_policy.nap_most.
 */
void watch_begin(struct watch *watch, const volatile int *interrupt,
		 bool patient);

/*
 * Member id, a waiter, calls this after a pass that failed.  True: the call has
 * recovered a dead member, so the waiter makes another pass.  Otherwise
 * watch->next says what the next sleep watches.  `first`: the waiter has not
 * paused or slept yet.
 */
bool watch_before_sleep(struct watch *watch, struct atmost *pool, unsigned id,
			struct wait_set *wait, bool first);

/* Closes the descriptors that were opened for the sleep. */
void watch_after_sleep(struct watch *watch);

#endif
