/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/recovery.h"

#include "runtime/error.h"
#include "runtime/file_lock.h"
#include "runtime/life.h"
#include "runtime/outcome.h"
#include "runtime/record.h"

#include <time.h>

/* A member that died outside has left nothing to undo. */
bool recovery_is_possible(const struct atmost *pool, unsigned id)
{
	if (!pool_is_known(pool))
		return false;
	return pool->algorithm->recover ||
	       record_phase(pool_record(pool, id)) == TURN_OUTSIDE;
}

/* The end of an entrusted process counts as a death only if the process that
 * joined has ended, too, or is about to end.  When that process ends, the
 * kernel first marks the life lock and later releases the file lock. */
static bool is_death(struct atmost *pool, unsigned id, uint64_t state)
{
	if (state & STATE_TO_ITSELF)
		return false;
	return !(state & STATE_ENTRUSTED) ||
	       life_owner(&pool_record(pool, id)->life) == 0 ||
	       file_lock_look(segment_look(&pool->segment),
			      LOCK_MEMBER + (long)id, 1) == FILE_LOCK_FREE;
}

/* The caller ensures that no other thread or process changes the member.
 * Returns false if there is no memory. */
static bool undo(struct atmost *pool, unsigned id)
{
	const struct algorithm *a = pool->algorithm;
	struct record *r = pool_record(pool, id);
	struct process victim = {
		.id = id,
		.shape = &pool->shape,
		.session = mem_read(&r->session),
		.own = pool_own(pool, id),
	};

	if (a->recover) {
		if (pool->kind == ATMOST_OBJECT &&
		    !outcome_settle(pool, &victim))
			return false;
		a->recover(pool_words(pool), &victim);
		pool_forget_own(pool, id);
	}
	mem_write(&r->turn, mem_read(&r->turn) & ~(uint64_t)TURN_PHASE);
	record_wake(r);
	return true;
}

/*
 * The caller holds the member's recovery lock, and found the member dead when
 * the record had `state`.  If the record still has this state, no other
 * recoverer has recovered the member since, and the member has not been
 * entrusted to another process.
 *
 * The recovery lock orders this compare-and-swap after everything that an
 * earlier recoverer did, its last write of the state included: see
 * file_lock.c.
 */
static bool recover(struct atmost *pool, unsigned id, uint64_t state)
{
	struct record *r = pool_record(pool, id);
	bool counts;

	if (!mem_cas(&r->state, state, state | STATE_RECOVERING))
		return false;
	counts = is_death(pool, id, state);
	if (!undo(pool, id))
		return false;
	/* This write ends the recovery.  If this process dies right afterwards,
	 * the death remains uncounted. */
	mem_write(&r->state, state & ~(STATE_JOINED | STATE_FLAGS));
	if (counts)
		mem_add(&pool->header->recovered, 1);
	return true;
}

int recovery_of_dead(struct atmost *pool, unsigned id, uint64_t state)
{
	struct quiet before;
	int error;

	pool_lock(pool, &before);
	error = pool_take(pool, LOCK_RECOVERY + (long)id);
	if (!error) {
		if (!recover(pool, id, state))
			error = ATMOST_EBUSY;
		pool_release(pool, LOCK_RECOVERY + (long)id);
	}
	pool_unlock(pool, &before);
	return error;
}

bool recovery_of_own(struct atmost *pool, unsigned id)
{
	struct quiet before;
	bool undone;

	if (!pool->algorithm->recover)
		return false;
	pool_lock(pool, &before);
	undone = undo(pool, id);
	pool_unlock(pool, &before);
	return undone;
}

static bool is_still(const struct record *r, uint64_t badge, bool *entrusted)
{
	const uint64_t state = mem_read(&r->state);

	*entrusted = state & STATE_ENTRUSTED;
	return record_is_member(state, badge);
}

bool recovery_exclude(struct atmost *pool, unsigned id, uint64_t badge,
		      struct recovery_exclusion *exclusion)
{
	const struct timespec moment = { 0, 1000000 };
	const struct record *r = pool_record(pool, id);
	bool entrusted;

	exclusion->taken = false;
	while (is_still(r, badge, &entrusted)) {
		int error;

		if (!entrusted)
			return true;
		pool_lock(pool, &exclusion->before);
		error = pool_take(pool, LOCK_RECOVERY + (long)id);
		exclusion->taken = !error && is_still(r, badge, &entrusted);
		if (exclusion->taken)
			return true;
		if (!error)
			pool_release(pool, LOCK_RECOVERY + (long)id);
		pool_unlock(pool, &exclusion->before);
		/* A recoverer holds the lock.  It will let the member live, or
		 * will set STATE_RECOVERING. */
		nanosleep(&moment, NULL);
	}
	return false;
}

void recovery_allow(struct atmost *pool, unsigned id,
		    const struct recovery_exclusion *exclusion)
{
	if (!exclusion->taken)
		return;
	pool_release(pool, LOCK_RECOVERY + (long)id);
	pool_unlock(pool, &exclusion->before);
}
