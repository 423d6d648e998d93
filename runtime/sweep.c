/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/sweep.h"

#include "runtime/death.h"
#include "runtime/file_lock.h"
#include "runtime/holders.h"
#include "runtime/recovery.h"
#include "runtime/resize.h"

#include <unistd.h>

static unsigned look_at(const struct death_look *look, unsigned id,
			struct sweep_dying *dying)
{
	struct atmost *pool = look->pool;
	const uint64_t state = mem_read(&pool_record(pool, id)->state);
	const bool first = dying && dying->pidfd < 0;
	enum death death;

	if (!(state & STATE_JOINED) || !recovery_is_possible(pool, id))
		return 0;
	death = death_of(look, id, first ? &dying->pidfd : NULL);
	if (death == DEATH_DYING && first) {
		dying->id = id;
		dying->state = state;
	} else if (first && dying->pidfd >= 0) {
		close(dying->pidfd);
		dying->pidfd = -1;
	}
	return death == DEATH_DEAD && recovery_of_dead(pool, id, state) == 0;
}

unsigned sweep_dying(struct atmost *pool, struct sweep_dying *dying, bool ended)
{
	struct death_look look;
	bool dead;

	death_look_begin(&look, pool);
	/* A child of _Fork may still hold the lock of the ended process. */
	if (ended)
		dead = file_lock_look(look.fd, LOCK_MEMBER + (long)dying->id,
				      1) == FILE_LOCK_FREE;
	else
		dead = death_of(&look, dying->id, NULL) == DEATH_DEAD;
	close(dying->pidfd);
	return dead && recovery_of_dead(pool, dying->id, dying->state) == 0;
}

static unsigned sweep(struct atmost *pool, bool all, struct sweep_dying *dying)
{
	const unsigned used = pool_used(pool);
	struct death_look look;
	unsigned recovered = 0;

	death_look_begin(&look, pool);
	for (unsigned id = 0; id < used; id++) {
		const struct record *r = pool_record(pool, id);

		if (all ? record_is_joined(r) : death_is_hinted(r))
			recovered += look_at(&look, id, dying);
	}
	resize_finish(pool);
	return recovered;
}

unsigned sweep_hinted(struct atmost *pool, struct sweep_dying *dying)
{
	return sweep(pool, false, dying);
}

unsigned sweep_all(struct atmost *pool, struct sweep_dying *dying)
{
	return sweep(pool, true, dying);
}

/* Looks at the holders for which death_is_hinted returns `hinted`. */
static unsigned look_at_holders(struct atmost *pool, bool hinted,
				struct sweep_dying *dying)
{
	const unsigned places = holders_places(pool);
	struct death_look look;
	unsigned recovered = 0;

	death_look_begin(&look, pool);
	for (unsigned place = 0; place < places; place++) {
		int id = holders_at(pool, place);

		if (id >= 0 &&
		    death_is_hinted(pool_record(pool, (unsigned)id)) == hinted)
			recovered += look_at(&look, (unsigned)id, dying);
	}
	return recovered;
}

unsigned sweep_holders(struct atmost *pool, struct sweep_dying *dying)
{
	if (!holders_are_by_slot(pool))
		return sweep_hinted(pool, dying);
	return look_at_holders(pool, true, dying);
}

unsigned sweep_hinted_and_holders(struct atmost *pool,
				  struct sweep_dying *dying)
{
	return sweep_hinted(pool, dying) + look_at_holders(pool, false, dying);
}

bool sweep_is_pending(struct atmost *pool)
{
	const unsigned used = pool_used(pool);
	struct death_look look;

	death_look_begin(&look, pool);
	for (unsigned id = 0; id < used; id++) {
		enum death death = death_of(&look, id, NULL);

		if (death == DEATH_DYING ||
		    (death == DEATH_DEAD && recovery_is_possible(pool, id)))
			return true;
	}
	return false;
}
