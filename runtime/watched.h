/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the next sleep of a waiter watches, and how long the sleep may be.
 */
#ifndef ATMOST_RUNTIME_WATCHED_H
#define ATMOST_RUNTIME_WATCHED_H

#include "runtime/queue.h"

struct watched {
	struct wait_watch sleep;
	struct queue_place place; /* as the last look-up found it */
	bool patient; /* naps may be longer than wait_policy.nap_most */
};

/* Makes the next sleep watch nothing. */
void watched_clear(struct watched *watched);

/* Closes the descriptors that were opened for the sleep. */
void watched_close(struct watched *watched);

/*
 * True: the head of the queue watches the holders for all waiters.  False: the
 * algorithm does not tell the order of its waiters, or the pool has more slots
 * than two waiters can watch.
 */
bool watched_by_head(const struct atmost *pool);

/*
 * True: this thread, a waiter, relies on the head of the queue unless it is
 * itself at the head.  If waiters rely on the head, each waiter that enters
 * must wake the two waiters behind it.  To save these wakes, a waiter relies on
 * the head only after it has waited for some time.  In a group pool a waiter
 * would otherwise have to watch all waiters in front of it, so there it relies
 * on the head at once.
 */
bool watched_relies_on_head(const struct atmost *pool);

/* Limits the sleep; `time` is in ns. */
void watched_nap(struct watched *watched, int64_t time);

/*
 * These functions choose what the next sleep of member id watches: one holder,
 * or all members on which the waiter depends.  False: one of these members is
 * dead.
 */
bool watched_choose_one(struct watched *watched, struct atmost *pool,
			unsigned id);
bool watched_choose_all(struct watched *watched, struct atmost *pool,
			unsigned id);

#endif
