/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/watched.h"

#include "runtime/record.h"
#include "runtime/watcher.h"

/* The longest time, in ns, for which a waiter sleeps if its place in the queue
 * is just changing, or if there are too many holders to watch. */
enum { NAP_SHORT = 10000000 };

static const int64_t MINUTE = INT64_C(60000000000); /* ns */

void watched_clear(struct watched *watched)
{
	watched->sleep.nap = 0;
	watched->sleep.nap_most = 0;
	watched->sleep.count = 0;
}

void watched_close(struct watched *watched)
{
	watcher_close(&watched->sleep);
}

void watched_nap(struct watched *watched, int64_t time)
{
	watcher_nap(&watched->sleep, time);
}

/*
 * Watches the turns of the waiters right in front: when such a waiter enters
 * or gives up, it raises the gate of the word `turn` in its record; when it is
 * recovered, its recoverer raises this gate.
 * queue_still_waits is S2 of wait.h: as long as the rank has not changed, the
 * gate has not been raised yet.  False: the sleep cannot watch the turns, or a
 * waiter has just left its place.
 */
static bool watch_turns(const struct watcher *w,
			const struct queue_place *place)
{
	const struct atmost *pool = w->look.pool;

	for (unsigned i = 0; i < place->ahead; i++) {
		const struct queue_neighbour *at = &place->at[i];

		if (!wait_watch_gate(w->sleep,
				     &pool_record(pool, at->id)->turn))
			return false;
		if (!queue_still_waits(pool, at)) {
			watcher_nap(w->sleep, NAP_SHORT);
			return false;
		}
	}
	return true;
}

/* False: a waiter right in front is dead. */
static bool watch_ahead(const struct watcher *w,
			const struct queue_place *place)
{
	for (unsigned i = 0; i < place->ahead; i++)
		if (!watcher_member(w, place->at[i].id))
			return false;
	return true;
}

/* Watches the waiter that went to sleep before this one, because that waiter
 * will be inside next.  False: it is dead. */
static bool watch_before(const struct watcher *w)
{
	struct header *header = w->look.pool->header;

	return watcher_member(w,
			      mem_swap(&header->last_sleeper, w->id + 1) - 1);
}

/*
 * In a group pool a waiter enters only after the last of the holders has left;
 * if there are too many holders to watch, the waiter takes only a short nap.
 *
 * `sleep->nap` is not 0 if the end of some member wakes no sleeper.  In that
 * case the waiters at the head of the queue watch processes, and the other
 * waiters take longer naps, because it is not their turn yet.  False: a holder
 * is dead.
 */
static bool watch_holders(const struct watcher *w, struct queue_place *place)
{
	const struct atmost *pool = w->look.pool;

	if (!watcher_holders(w, WATCH_MOST))
		return false;
	if (pool->kind == ATMOST_GROUP && w->sleep->count == WATCH_MOST)
		watcher_nap(w->sleep, NAP_SHORT);
	if (!w->sleep->nap || w->sleep->ends || !pool->algorithm->rank)
		return true;
	if (!place->position)
		queue_find(pool, w->id, place);
	if (place->position <= QUEUE_HEAD)
		watcher_processes(w);
	else
		w->sleep->nap *= place->position;
	return true;
}

/* Returns p^2/2 times nap_most for the p-th waiter, but at most a minute. */
static int64_t longest_nap(int64_t p)
{
	const int64_t once = wait_policy.nap_most;
	const int64_t most = MINUTE > once ? MINUTE : once;
	const int64_t times = p > 1 ? p * p / 2 : 1;

	return times < most / once ? times * once : most;
}

/*
 * Each waiter watches the lives and the turns of the two waiters in front of
 * it.  So it wakes when it reaches the head of the queue, and its naps can grow
 * with its position.  If it misses a wake, or if the waiters in front of it are
 * stopped, it looks again at the end of its nap.
 *
 * Only the waiters at the head watch the holders.  When a holder dies, the
 * kernel wakes only one of the sleepers that watch its life lock, and that
 * sleeper must be a waiter that depends on the holder.
 */
static bool watch_queue(const struct watcher *w, struct watched *watched)
{
	struct queue_place *place = &watched->place;
	bool told;

	if (!place->position)
		queue_find(w->look.pool, w->id, place);
	if (!watch_ahead(w, place))
		return false;
	if (w->sleep->ends)
		return true;
	told = watch_turns(w, place);
	if (told && place->position > QUEUE_HEAD)
		w->sleep->nap = 0;
	else if (!watch_holders(w, place))
		return false;
	if (told && watched->patient && !w->sleep->nap && !w->sleep->ends)
		w->sleep->nap_most = longest_nap(place->position);
	return true;
}

bool watched_by_head(const struct atmost *pool)
{
	/* The second waiter also watches the life and the turn of the first, so
	 * it can watch only WATCH_MOST - 2 holders. */
	return pool->algorithm->rank &&
	       (pool->kind == ATMOST_GROUP ||
		mem_read(&pool->header->k_now) <= WATCH_MOST - 2);
}

bool watched_relies_on_head(const struct atmost *pool)
{
	return watched_by_head(pool) &&
	       (pool->kind == ATMOST_GROUP ||
		wait_next_nap() >= wait_policy.nap_most);
}

static struct watcher begin(struct watched *watched, struct atmost *pool,
			    unsigned id)
{
	struct watcher w = { .id = id, .sleep = &watched->sleep };

	death_look_begin(&w.look, pool);
	return w;
}

bool watched_choose_one(struct watched *watched, struct atmost *pool,
			unsigned id)
{
	const struct watcher w = begin(watched, pool, id);

	w.sleep->nap = wait_policy.unwatched;
	return watcher_holders(&w, 1);
}

bool watched_choose_all(struct watched *watched, struct atmost *pool,
			unsigned id)
{
	const struct watcher w = begin(watched, pool, id);

	if (watched_relies_on_head(pool))
		return watch_queue(&w, watched);
	return watch_before(&w) && watch_holders(&w, &watched->place);
}
