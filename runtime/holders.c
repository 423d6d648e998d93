/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/holders.h"

#include "runtime/record.h"

bool holders_are_by_slot(const struct atmost *pool)
{
	return pool->algorithm->holder &&
	       pool->algorithm->kind != KIND_GROUP_EXCLUSION;
}

unsigned holders_places(const struct atmost *pool)
{
	return holders_are_by_slot(pool) ? pool_slots(pool) : pool_used(pool);
}

/* Returns true if the algorithm has let the member in, but the member has not
 * noticed that yet. */
static bool is_let_in(const struct atmost *pool, unsigned id)
{
	const struct algorithm *a = pool->algorithm;

	return record_phase(pool_record(pool, id)) == TURN_WAITING && a->rank &&
	       a->rank(pool_words(pool), &pool->shape, id) == 0;
}

int holders_at(const struct atmost *pool, unsigned place)
{
	const struct algorithm *a = pool->algorithm;

	if (holders_are_by_slot(pool)) {
		int id = a->holder(pool_words(pool), &pool->shape, place);

		return id < (int)pool_used(pool) ? id : -1;
	}
	return record_phase(pool_record(pool, place)) == TURN_INSIDE ||
			       is_let_in(pool, place)
		       ? (int)place
		       : -1;
}

int holders_of_slot(const struct atmost *pool, unsigned slot)
{
	const unsigned places = holders_places(pool);

	for (unsigned place = 0; place < places; place++) {
		int id = holders_at(pool, place);
		uint64_t held = place;

		if (id < 0)
			continue;
		if (!holders_are_by_slot(pool))
			held = mem_read(&pool_record(pool, (unsigned)id)->slot);
		if (held == slot)
			return id;
	}
	return -1;
}
