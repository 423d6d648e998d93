/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/watcher.h"

#include "runtime/holders.h"
#include "runtime/life.h"
#include "runtime/record.h"

#include <unistd.h>

/*
 * The longest time, in ns, for which a waiter sleeps if it depends on a member
 * that is entrusted, cannot be watched, is dying, or cannot be looked at.
 */
enum {
	NAP_BESIDE_ENTRUSTED = 10000000,
	NAP_BESIDE_UNWATCHED = 10000000,
	NAP_BESIDE_DYING = 2000000,
	NAP_BESIDE_UNKNOWN = 200000000,
	NAP_UNTIL_END = 20000000 /* for a sleep that watches only pidfds, if a
				    holder may leave before its process ends */
};

void watcher_nap(struct wait_watch *sleep, int64_t time)
{
	if (!sleep->nap || time < sleep->nap)
		sleep->nap = time;
}

void watcher_close(struct wait_watch *sleep)
{
	while (sleep->ends > 0)
		close(sleep->end[--sleep->ends]);
}

static void watch_end(struct wait_watch *sleep, int pidfd)
{
	if (pidfd < 0)
		return;
	if (sleep->ends < WATCH_MOST)
		sleep->end[sleep->ends++] = pidfd;
	else
		close(pidfd);
}

/* Watches a member whose life lock has no living owner.  False: the member is
 * dead. */
static bool watch_without_lock(const struct watcher *w, unsigned id)
{
	int pidfd = -1;

	switch (death_of(&w->look, id, &pidfd)) {
	case DEATH_DEAD:
		return !record_is_joined(pool_record(w->look.pool, id));
	case DEATH_DYING:
		watch_end(w->sleep, pidfd);
		watcher_nap(w->sleep, NAP_BESIDE_DYING);
		return true;
	case DEATH_UNKNOWN:
		watcher_nap(w->sleep, NAP_BESIDE_UNKNOWN);
		return true;
	case DEATH_ALIVE:
	case DEATH_UNLOCKED:
		break;
	}
	/* No futex changes when the member dies, so the waiter looks again
	 * soon. */
	watcher_nap(w->sleep, NAP_BESIDE_ENTRUSTED);
	if (pidfd >= 0)
		close(pidfd);
	return true;
}

static bool watch_life(struct life *life, struct wait_watch *sleep)
{
	struct watched_futex futex;

	if (!life_watch(life, &futex))
		return false;
	if (sleep->count < WATCH_MOST)
		sleep->at[sleep->count++] = futex;
	return true;
}

bool watcher_member(const struct watcher *w, uint64_t id)
{
	struct record *r;
	uint64_t state;

	if (id >= pool_used(w->look.pool) || id == w->id)
		return true;
	r = pool_record(w->look.pool, (unsigned)id);
	state = mem_read(&r->state);
	if (!(state & STATE_JOINED))
		return true;
	record_stamp(r);
	if (watch_life(&r->life, w->sleep)) {
		if (state & STATE_UNWATCHED)
			watcher_nap(w->sleep, NAP_BESIDE_UNWATCHED);
		return true;
	}
	return watch_without_lock(w, (unsigned)id);
}

/* Waiters begin at different places, so that together they watch more
 * holders. */
bool watcher_holders(const struct watcher *w, unsigned most)
{
	const struct atmost *pool = w->look.pool;
	const unsigned places = holders_places(pool);

	for (unsigned i = 0; i < places && w->sleep->count < most; i++) {
		int id = holders_at(pool, (w->id + i) % places);

		if (id >= 0 && !watcher_member(w, (uint64_t)id))
			return false;
	}
	return true;
}

/* Opens a pidfd of the process to which the holder is entrusted.  False: there
 * is no such process, or the sleep already watches WATCH_MOST pidfds. */
static bool watch_entrusted(const struct watcher *w, unsigned id)
{
	int pidfd = -1;

	death_of(&w->look, id, &pidfd);
	if (pidfd < 0)
		return false;
	if (w->sleep->ends == WATCH_MOST) {
		close(pidfd);
		return false;
	}
	watch_end(w->sleep, pidfd);
	return true;
}

void watcher_processes(const struct watcher *w)
{
	const struct atmost *pool = w->look.pool;
	const unsigned places = holders_places(pool);
	bool may_leave = false;

	for (unsigned place = 0; place < places; place++) {
		int id = holders_at(pool, place);

		if (id < 0 || (unsigned)id == w->id)
			continue;
		if (!watch_entrusted(w, (unsigned)id)) {
			watcher_close(w->sleep);
			return;
		}
		if (life_owner(&pool_record(pool, (unsigned)id)->life) != 0)
			may_leave = true;
	}
	if (w->sleep->ends)
		w->sleep->nap = may_leave ? NAP_UNTIL_END : 0;
}
