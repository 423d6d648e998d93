/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A watch: in one stream, etcd reports every change of some ranges of keys from
 * a revision on, and the watch applies it to the replica.
 *
 * A stream may end without notice, and its last lines may be missing.  So when
 * a watch has ended, for whatever reason, its owner looks again, and begins
 * another watch after the revision of that look.
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

/* Watches the slots, the pool, and waiters that go. */
void watch_pool(struct wire *, struct watch *, struct replica *,
		int64_t revision);

/* Watches the pool's limit, and the guards of a far waiter until one of them
 * goes (queue.h). */
void watch_guards(struct wire *, struct watch *, struct replica *,
		  int64_t own_lease, unsigned k, int64_t revision);

/* Watches one slot, until its key is removed. */
void watch_slot(struct wire *, struct watch *, struct replica *, unsigned slot,
		int64_t revision);

/* After wire_pump: returns true once if the watch has ended. */
bool watch_ended(struct watch *);

void watch_stop(struct watch *);
void watch_free(struct watch *);

#endif
