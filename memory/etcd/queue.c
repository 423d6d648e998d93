/* SPDX-License-Identifier: BSD-2-Clause */
#include "queue.h"

unsigned queue_head(uint64_t k)
{
	if (k == 0 || k > QUEUE_GUARDS_MOST)
		return 0;
	return 2 * (unsigned)k + QUEUE_DISTANCE + 1;
}

int64_t queue_ticket(const struct replica *replica, int64_t own_lease)
{
	for (size_t i = 0; i < replica->count; i++) {
		const struct replica_entry *entry = &replica->entries[i];

		if (entry->key.range == STORE_WAITER &&
		    entry->key.lease == own_lease)
			return (int64_t)entry->word.stamp;
	}
	return 0;
}

/* Whether the entry is a ticket with a smaller stamp. */
static bool is_before(const struct replica_entry *entry, int64_t stamp)
{
	return entry->key.range == STORE_WAITER &&
	       (int64_t)entry->word.stamp < stamp;
}

bool queue_is_far(const struct replica *replica, int64_t own_lease,
		  unsigned head)
{
	const int64_t own = queue_ticket(replica, own_lease);
	unsigned before = 0;

	for (size_t i = 0; i < replica->count; i++)
		before += is_before(&replica->entries[i], own);
	return replica->cut && before >= head;
}

/* Returns the last ticket before the stamp, or NULL. */
static const struct replica_entry *last_before(const struct replica *replica,
					       int64_t stamp)
{
	const struct replica_entry *last = NULL;

	for (size_t i = 0; i < replica->count; i++) {
		const struct replica_entry *entry = &replica->entries[i];

		if (is_before(entry, stamp) &&
		    (!last || entry->word.stamp > last->word.stamp))
			last = entry;
	}
	return last;
}

unsigned queue_guards(const struct replica *replica, int64_t own_lease,
		      unsigned k, struct key guards[QUEUE_GUARDS_MOST])
{
	int64_t stamp = queue_ticket(replica, own_lease);
	const struct replica_entry *entry;
	unsigned passed = 0, count = 0;

	while (count < k && count < QUEUE_GUARDS_MOST &&
	       (entry = last_before(replica, stamp))) {
		if (passed++ >= QUEUE_DISTANCE)
			guards[count++] = entry->key;
		stamp = (int64_t)entry->word.stamp;
	}
	return count;
}
