/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the next sleep of a waiter end when a certain member dies.
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

/* Limits the sleep to `time`, in ns. */
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
 * If all holders are entrusted, the waiter sleeps until one of the entrusted
 * processes ends.  Such a sleep ignores changes of the word that lets the
 * waiter in.  If the thread of every holder is gone, this word changes only
 * after a process has ended, with three exceptions: a resize, atmost_evict, and
 * in a group pool a waiter in front that gives up or dies.  After one of these
 * exceptions the waiter enters at the end of its nap, which is no longer than
 * the naps of other waiters.  But a holder whose thread still runs may leave
 * before its process ends; if there is such a holder, the nap is short.
 */
void watcher_processes(const struct watcher *w);

#endif
