/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this process knows of a pool's keys, and the words that it makes of them.
 *
 * The replica is a map by key, never a count: an event that comes twice changes
 * nothing.  A look replaces it; the events of watches after that look keep it
 * up to date.  The replica ignores an event that the look has seen already.
 *
 * The words lie as transaction.h says, for as many rows as there are waiters:
 * row 0 is this process, whatever its lease is, and the other waiters have the
 * rows after it.
 */
#ifndef ATMOST_MEMORY_ETCD_REPLICA_H
#define ATMOST_MEMORY_ETCD_REPLICA_H

#include "answer.h"
#include "keys.h"
#include "mem.h"

struct replica_entry {
	struct key key;
	struct word word;
};

struct replica {
	char root[KEY_ROOM];
	bool groups;
	int64_t revision; /* of the last look; 0: there was none */
	/* The newest revision among the events of waiters and of slots. */
	int64_t waiter_event, slot_event;
	int64_t newest_event; /* of all since the last look */
	/* An event came before the last look, but is newer than that look.  The
	 * event will not come again. */
	bool behind;
	bool changed; /* since the flag was cleared last */
	/* The last look left waiters out (queue.h). */
	bool cut;
	/* A key of ours has a value that no version of ours writes. */
	bool foreign;
	size_t count, room;
	struct replica_entry *entries; /* sorted by range, lease and slot */
};

void replica_free(struct replica *);

/* Both return false if memory runs out; the caller must then look again. */
bool replica_look(struct replica *, const struct seen_keys *);
bool replica_apply(struct replica *, const struct seen_keys *events);

/* The number of rows and of slots that the words need. */
unsigned replica_rows(const struct replica *, int64_t own_lease);
unsigned replica_slots(const struct replica *);

/* Returns false if there is no pool, or its value is not one of ours. */
bool replica_pool(const struct replica *, uint64_t *value);

/*
 * Returns whether the view may show a taken slot as free, because it has only
 * one half of a claim: the end of the ticket.  Returns false if the view has no
 * slot that the waiter with this lease could claim.
 */
bool replica_may_mislead(const struct replica *, int64_t own_lease);

/* Writes the words.  leases[row] becomes the lease of each row.  Slots and
 * waiters for which there is no room are left out. */
void replica_fill(const struct replica *, int64_t own_lease, struct word *,
		  unsigned slots, unsigned rows, int64_t *leases);

#endif
