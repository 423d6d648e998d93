/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a waiter does about deaths: it looks for them before it sleeps, and
 * watches for them while it does.
 */
#ifndef ATMOST_RUNTIME_WATCH_H
#define ATMOST_RUNTIME_WATCH_H

#include "runtime/member.h"

/* A wait begins. */
void watch_begin(struct wait_watch *watch);

/*
 * The pass said no.  True: a dead member was recovered, look again.  Otherwise
 * `watch` is what the sleep that follows shall watch.
 */
bool watch_before_sleep(struct atmost_member *me, struct wait_set *wait,
			struct wait_watch *watch, bool first);

/* After the sleep: what was opened for it is closed. */
void watch_after_sleep(struct wait_watch *watch);

#endif
