/* SPDX-License-Identifier: BSD-2-Clause */
#include "replica.h"

#include "values.h"

#include <stdlib.h>
#include <string.h>

/* Stands for a value that atmost does not write.  No session and no limit has
 * it, so a guard that compares a word with one of them fails, as it does in
 * etcd. */
static const uint64_t foreign_value = UINT64_MAX;

void replica_free(struct replica *replica)
{
	free(replica->entries);
	replica->entries = NULL;
	replica->count = replica->room = 0;
}

static int compare(const struct key *a, const struct key *b)
{
	if (a->range != b->range)
		return a->range < b->range ? -1 : 1;
	if (a->lease != b->lease)
		return a->lease < b->lease ? -1 : 1;
	return a->slot < b->slot ? -1 : a->slot > b->slot;
}

/* Returns the place of the key, or where it would be. */
static size_t place_of(const struct replica *replica, const struct key *key)
{
	size_t low = 0, high = replica->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare(&replica->entries[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(const struct replica *replica, size_t at,
		  const struct key *key)
{
	return at < replica->count &&
	       compare(&replica->entries[at].key, key) == 0;
}

static bool make_room(struct replica *replica)
{
	const size_t room = replica->room ? 2 * replica->room : 16;
	struct replica_entry *entries;

	if (replica->count < replica->room)
		return true;
	entries = realloc(replica->entries, room * sizeof *entries);
	if (!entries)
		return false;
	replica->entries = entries;
	replica->room = room;
	return true;
}

/* Sets or removes one key.  Skips a key that is not ours, because it occupies
 * no slot. */
static bool change(struct replica *replica, const struct seen_key *seen)
{
	struct replica_entry entry = { .word = { (uint64_t)seen->modified, 0,
						 seen->lease } };
	size_t at;

	if (!key_parse(&entry.key, replica->root, seen->key, seen->key_length))
		return true;
	replica->changed = true;
	at = place_of(replica, &entry.key);
	if (seen->removed) {
		if (is_at(replica, at, &entry.key))
			memmove(&replica->entries[at],
				&replica->entries[at + 1],
				(--replica->count - at) * sizeof entry);
		return true;
	}
	if (!value_parse(&entry.word.value, entry.key.range, replica->groups,
			 seen->value, seen->value_length)) {
		entry.word.value = foreign_value;
		replica->foreign = true;
	}
	if (!is_at(replica, at, &entry.key)) {
		if (!make_room(replica))
			return false;
		memmove(&replica->entries[at + 1], &replica->entries[at],
			(replica->count++ - at) * sizeof entry);
	}
	replica->entries[at] = entry;
	return true;
}

bool replica_look(struct replica *replica, const struct seen_keys *seen)
{
	replica->count = 0;
	replica->foreign = false;
	replica->changed = true;
	replica->cut = seen->cut;
	replica->revision = seen->revision;
	replica->behind = replica->newest_event > seen->revision;
	replica->waiter_event = replica->slot_event = 0;
	replica->newest_event = 0;
	for (size_t i = 0; i < seen->count; i++)
		if (!change(replica, &seen->keys[i])) {
			replica->revision = 0;
			return false;
		}
	return true;
}

static void note_event(struct replica *replica, const struct seen_key *event)
{
	struct key key;

	if (!key_parse(&key, replica->root, event->key, event->key_length))
		return;
	if (key.range == STORE_WAITER)
		replica->waiter_event = event->modified;
	if (key.range == STORE_SLOT)
		replica->slot_event = event->modified;
}

bool replica_apply(struct replica *replica, const struct seen_keys *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct seen_key *event = &events->keys[i];

		if (event->modified <= replica->revision)
			continue;
		replica->newest_event = event->modified;
		note_event(replica, event);
		if (!change(replica, event)) {
			replica->revision = 0;
			return false;
		}
	}
	return true;
}

unsigned replica_rows(const struct replica *replica, int64_t own_lease)
{
	unsigned rows = 1;

	for (size_t i = 0; i < replica->count; i++) {
		const struct key *key = &replica->entries[i].key;

		rows += key->range == STORE_WAITER && key->lease != own_lease;
	}
	return rows;
}

unsigned replica_slots(const struct replica *replica)
{
	unsigned slots = 0;

	for (size_t i = 0; i < replica->count; i++) {
		const struct key *key = &replica->entries[i].key;

		if (key->range == STORE_SLOT && key->slot >= slots)
			slots = key->slot + 1;
	}
	return slots;
}

/* The stamp of the waiter with this lease; 0: it has no ticket. */
static uint64_t ticket_of(const struct replica *replica, int64_t lease)
{
	for (size_t i = 0; i < replica->count; i++) {
		const struct replica_entry *entry = &replica->entries[i];

		if (entry->key.range == STORE_WAITER &&
		    entry->key.lease == lease)
			return entry->word.stamp;
	}
	return 0;
}

bool replica_may_mislead(const struct replica *replica, int64_t own_lease)
{
	const uint64_t ticket = ticket_of(replica, own_lease);
	uint64_t pool, taken = 0;

	if (replica->waiter_event <= replica->slot_event || !ticket)
		return false;
	if (!replica_pool(replica, &pool) || !store_pool_k(pool))
		return true;
	/* Counts the slots that are held and the slots that earlier waiters
	 * will take. */
	for (size_t i = 0; i < replica->count; i++) {
		const struct replica_entry *entry = &replica->entries[i];

		taken += entry->key.range == STORE_SLOT ||
			 (entry->key.range == STORE_WAITER &&
			  entry->word.stamp < ticket);
	}
	return taken < store_pool_k(pool);
}

bool replica_pool(const struct replica *replica, uint64_t *value)
{
	const struct key pool = { .range = STORE_POOL };
	const size_t at = place_of(replica, &pool);

	if (!is_at(replica, at, &pool) ||
	    replica->entries[at].word.value == foreign_value)
		return false;
	*value = replica->entries[at].word.value;
	return true;
}

void replica_fill(const struct replica *replica, int64_t own_lease,
		  struct word *words, unsigned slots, unsigned rows,
		  int64_t *leases)
{
	struct word *slot = words + store_at(STORE_SLOT, slots, rows);
	struct word *waiter = words + store_at(STORE_WAITER, slots, rows);
	unsigned row = 1;

	memset(words, 0, store_at(STORE_RANGES, slots, rows) * sizeof *words);
	memset(leases, 0, rows * sizeof *leases);
	leases[0] = own_lease;
	for (size_t i = 0; i < replica->count; i++) {
		const struct replica_entry *entry = &replica->entries[i];
		const struct key *key = &entry->key;

		if (key->range == STORE_POOL) {
			words[0] = entry->word;
		} else if (key->range == STORE_SLOT && key->slot < slots) {
			slot[key->slot] = entry->word;
		} else if (key->range == STORE_WAITER) {
			const unsigned at = key->lease == own_lease ? 0 : row++;

			if (at >= rows)
				continue;
			leases[at] = key->lease;
			waiter[at] = entry->word;
		}
	}
}
