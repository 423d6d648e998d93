/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watching members: what the next sleep of a waiter must watch so that it ends
 * when a certain member dies.
 */
#ifndef ATMOST_RUNTIME_WATCHER_H
#define ATMOST_RUNTIME_WATCHER_H

#include "runtime/death.h"

/* A waiter that chooses what to watch. */
struct watcher {
	struct death_look look;
	unsigned id;
	struct wait_watch *sleep;
};

/* The sleep lasts at most `time`, in ns. */
void watcher_nap(struct wait_watch *sleep, int64_t time);

/* Closes the descriptors that were opened for the sleep. */
void watcher_close(struct wait_watch *sleep);

/* Watches member id, and limits the sleep if nothing can wake the waiter when
 * the member dies.  False: the member is dead. */
bool watcher_member(const struct watcher *w, uint64_t id);

/* Watches holders until the sleep watches `most` futexes.  False: a holder is
 * dead. */
bool watcher_holders(const struct watcher *w, unsigned most);

/*
 * If all holders are entrusted, the waiter sleeps until one of their processes
 * ends.  Such a sleep ignores the waiter's own word.  If the thread of every
 * holder is gone, this word changes only after a process has ended, with three
 * exceptions: a resize, atmost_evict, and in a group pool a waiter in front
 * that gives up or dies.  After one of these the waiter enters at the end of
 * its nap, which is no longer than that of other waiters.  But a holder whose
 * thread is there may leave before its process ends; beside such a holder the
 * nap is short.
 */
void watcher_processes(const struct watcher *w);

#endif
