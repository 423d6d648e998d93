/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/queue.h"

static uint64_t rank_of(const struct atmost *pool, unsigned id)
{
	return pool->algorithm->rank(pool_words(pool), &pool->shape, id);
}

/* The neighbours with the largest ranks are the nearest. */
static void add_ahead(struct queue_place *place, struct queue_neighbour entry)
{
	if (place->ahead == 0 || entry.rank < place->first.rank)
		place->first = entry;
	place->position++;
	for (unsigned i = 0; i < QUEUE_AHEAD; i++) {
		const struct queue_neighbour old = place->at[i];

		if (i < place->ahead && old.rank >= entry.rank)
			continue;
		place->at[i] = entry;
		if (i == place->ahead) {
			place->ahead++;
			return;
		}
		entry = old;
	}
}

void queue_find(const struct atmost *pool, unsigned id,
		struct queue_place *place)
{
	const unsigned used = pool_used(pool);
	const uint64_t mine = rank_of(pool, id);

	*place = (struct queue_place){ .position = 1 };
	for (unsigned other = 0; other < used; other++) {
		const uint64_t rank = rank_of(pool, other);

		if (rank && rank < mine)
			add_ahead(place,
				  (struct queue_neighbour){ other, rank });
	}
}

bool queue_still_waits(const struct atmost *pool,
		       const struct queue_neighbour *neighbour)
{
	return rank_of(pool, neighbour->id) == neighbour->rank;
}

void queue_update(const struct atmost *pool, unsigned id,
		  struct queue_place *place)
{
	bool same = place->position > QUEUE_AHEAD;

	for (unsigned i = 0; same && i < QUEUE_AHEAD; i++)
		same = queue_still_waits(pool, &place->at[i]);
	if (!same)
		queue_find(pool, id, place);
}
