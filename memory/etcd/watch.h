/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A watch: etcd tells of every change of some ranges of keys from a revision
 * on, in one stream, and the replica follows.
 *
 * The end of a stream is silent, and lines may be missing at its end.  So a
 * watch that has ended, for whatever reason, tells nothing more: its owner looks
 * again and watches from there.
 */
#ifndef ATMOST_MEMORY_ETCD_WATCH_H
#define ATMOST_MEMORY_ETCD_WATCH_H

#include "replica.h"
#include "wire.h"

struct watch {
	struct exchange stream;
	struct replica *replica;
	bool running;
	bool guards; /* those of a far waiter: an event means, look again */
};

/* Watches slots, waiters that go, and the pool. */
void watch_pool(struct wire *, struct watch *, struct replica *,
		int64_t revision);

/* Watches the pool's limit, and the guards of a far waiter until one of them
 * goes (queue.h). */
void watch_guards(struct wire *, struct watch *, struct replica *,
		  int64_t own_lease, unsigned k, int64_t revision);

/* Watches one slot, until it goes. */
void watch_slot(struct wire *, struct watch *, struct replica *, unsigned slot,
		int64_t revision);

/* After wire_pump: returns true once if the watch has ended. */
bool watch_ended(struct watch *);

void watch_stop(struct watch *);
void watch_free(struct watch *);

#endif
