/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/watch.h"

#include "runtime/death.h"
#include "runtime/holders.h"
#include "runtime/life.h"
#include "runtime/machine.h"
#include "runtime/sweep.h"

#include <poll.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

/*
 * How long, in ns, a waiter sleeps at most if it depends on a member that is
 * entrusted, cannot be watched, is dying, or cannot be looked at.
 */
enum {
	NAP_BESIDE_ENTRUSTED = 10000000,
	NAP_BESIDE_OTHERS = 10000000,
	NAP_BESIDE_DYING = 2000000,
	NAP_BESIDE_UNKNOWN = 200000000,
	NAP_UNTIL_END = 20000000 /* of a sleep on pidfds */
};

enum {
	PIDFD_WATCHERS = 2, /* waiters at the head of the queue */
	SWEEP_EVERY = 250   /* 2^20 ns, about a quarter of a second */
};

/* A waiter that chooses what to watch. */
struct watcher {
	struct death_look look;
	unsigned id;
	struct wait_watch *sleep;
};

void watch_begin(struct watch *watch)
{
	watch->sleep.nap = 0;
	watch->sleep.count = 0;
	watch->sleep.ends = 0;
	watch->short_naps = 0;
	watch->one_only = false;
}

static void close_ends(struct wait_watch *sleep)
{
	while (sleep->ends > 0)
		close(sleep->end[--sleep->ends]);
}

void watch_after_sleep(struct watch *watch)
{
	close_ends(&watch->sleep);
}

static void nap(struct wait_watch *sleep, long time)
{
	if (!sleep->nap || time < sleep->nap)
		sleep->nap = time;
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
		nap(w->sleep, NAP_BESIDE_DYING);
		return true;
	case DEATH_UNKNOWN:
		nap(w->sleep, NAP_BESIDE_UNKNOWN);
		return true;
	case DEATH_ALIVE:
	case DEATH_UNLOCKED:
		break;
	}
	/* No futex tells of its end: look again soon. */
	nap(w->sleep, NAP_BESIDE_ENTRUSTED);
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

/* False: the member is dead. */
static bool watch_member(const struct watcher *w, uint64_t id)
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
			nap(w->sleep, NAP_BESIDE_OTHERS);
		return true;
	}
	return watch_without_lock(w, (unsigned)id);
}

/* The watcher's position in the queue, from 1; *before: the id of the waiter in
 * front of it, if there is one. */
static unsigned position_of(const struct watcher *w, unsigned *before)
{
	const struct atmost *pool = w->look.pool;
	const struct algorithm *a = pool->algorithm;
	const unsigned used = pool_used(pool);
	void *words = pool_words(pool);
	uint64_t mine = a->rank(words, &pool->shape, w->id);
	uint64_t nearest = 0;
	unsigned position = 1;

	for (unsigned id = 0; id < used; id++) {
		uint64_t rank = a->rank(words, &pool->shape, id);

		if (!rank || rank >= mine)
			continue;
		position++;
		if (rank > nearest) {
			nearest = rank;
			*before = id;
		}
	}
	return position;
}

/* Watches holders until the sleep watches `most` futexes.  Waiters begin at
 * different places.  False: a holder is dead. */
static bool watch_holders(const struct watcher *w, unsigned most)
{
	const struct atmost *pool = w->look.pool;
	const unsigned places = holders_places(pool);

	for (unsigned i = 0; i < places && w->sleep->count < most; i++) {
		int id = holders_at(pool, (w->id + i) % places);

		if (id >= 0 && !watch_member(w, (uint64_t)id))
			return false;
	}
	return true;
}

/*
 * In a group pool the waiter also watches the waiters in front of it.  They
 * enter together, and then the death of any of them keeps the waiter out.  If
 * they are too many to watch, the waiter sleeps only for a short nap.  False: a
 * waiter in front is dead.
 */
static bool watch_queue(const struct watcher *w)
{
	const struct atmost *pool = w->look.pool;
	const struct algorithm *a = pool->algorithm;
	const unsigned used = pool_used(pool);
	void *words = pool_words(pool);
	uint64_t mine = a->rank(words, &pool->shape, w->id);

	for (unsigned id = 0; id < used; id++) {
		uint64_t rank = a->rank(words, &pool->shape, id);

		if (w->sleep->count == WATCH_MOST)
			break;
		if (rank && rank < mine && !watch_member(w, id))
			return false;
	}
	if (w->sleep->count == WATCH_MOST)
		nap(w->sleep, NAP_BESIDE_OTHERS);
	return true;
}

/*
 * If all holders are entrusted, the waiter enters only when one of their
 * processes ends, and a pidfd tells of that.  At the end of its nap the waiter
 * also notices a resize, or a waiter in front that has given up.
 */
static void watch_pidfds(const struct watcher *w)
{
	const struct atmost *pool = w->look.pool;
	const unsigned places = holders_places(pool);

	close_ends(w->sleep);
	for (unsigned place = 0; place < places; place++) {
		int id = holders_at(pool, place), pidfd = -1;

		if (id < 0 || (unsigned)id == w->id)
			continue;
		death_of(&w->look, (unsigned)id, &pidfd);
		if (pidfd < 0 || w->sleep->ends == WATCH_MOST) {
			if (pidfd >= 0)
				close(pidfd);
			close_ends(w->sleep);
			return;
		}
		watch_end(w->sleep, pidfd);
	}
	if (w->sleep->ends)
		w->sleep->nap = NAP_UNTIL_END;
}

/*
 * A holder is entrusted, and its life lock has no owner.  The waiters at the
 * head of the queue watch its process.  The others look less often, because it
 * is not their turn.  Each of them watches the waiter in front of it: the life
 * lock of that waiter ends when the waiter becomes the command.  False: the
 * waiter in front is dead.
 */
static bool watch_entrusted(const struct watcher *w)
{
	unsigned before = w->id;
	unsigned position = position_of(w, &before);

	if (!watch_member(w, before))
		return false;
	if (position <= PIDFD_WATCHERS)
		watch_pidfds(w);
	else
		w->sleep->nap *= position;
	return true;
}

/* Watches the holders.  Also watches the waiter that went to sleep before this
 * one, because that waiter will be inside next.  False: one of them is dead, do
 * not sleep. */
static bool watch_all(const struct watcher *w)
{
	const struct atmost *pool = w->look.pool;
	uint64_t before = mem_swap(&pool->header->last_sleeper, w->id + 1);

	if (!watch_member(w, before - 1) || !watch_holders(w, WATCH_MOST))
		return false;
	if (pool->kind == ATMOST_GROUP && pool->algorithm->rank &&
	    !watch_queue(w))
		return false;
	return !w->sleep->nap || w->sleep->ends || !pool->algorithm->rank ||
	       watch_entrusted(w);
}

/* False: a member that should be watched is dead. */
static bool choose(struct watch *watch, struct atmost *pool, unsigned id)
{
	struct watcher w = { .id = id, .sleep = &watch->sleep };

	death_look_begin(&w.look, pool);
	if (!watch->one_only)
		return watch_all(&w);
	w.sleep->nap = wait_policy.unwatched;
	return watch_holders(&w, 1);
}

/*
 * A death that nothing hints at is found only by a sweep over every member.
 * The waiters of a pool together make four such sweeps a second.
 */
static bool may_sweep_all(struct atmost *pool)
{
	struct word *looked = &pool->header->looked;
	const uint64_t last = mem_read(looked), now = machine_clock();

	return pool->named && now - last > SWEEP_EVERY &&
	       mem_cas(looked, last, now);
}

/*
 * A killed process closes its files about 100 us after the kernel has marked
 * its life lock; a sleeper takes as long to wake.  So the waiter polls the
 * pidfd for that long before it sleeps.
 */
static bool ends_soon(int pidfd)
{
	enum {
		SOON = 150000 /* ns */,
		SECOND = 1000000000,
		LATER = 1 /* ms */
	};
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	struct timespec began, now;

	clock_gettime(CLOCK_MONOTONIC, &began);
	do {
		if (poll(&end, 1, 0) == 1)
			return true;
		sched_yield();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - began.tv_sec) * SECOND + now.tv_nsec -
			 began.tv_nsec <
		 SOON);
	return poll(&end, 1, LATER) == 1;
}

static unsigned sweep(struct atmost *pool, bool holders_only)
{
	struct sweep_dying dying = { .pidfd = -1 };
	unsigned found = holders_only ? sweep_holders(pool, &dying)
				      : sweep_hinted(pool, &dying);

	if (dying.pidfd >= 0)
		found += sweep_dying(pool, &dying, ends_soon(dying.pidfd));
	return found;
}

/*
 * After a short nap beside an entrusted holder the waiter looks at the holders
 * only; after every 64th short nap it looks at all members.
 *
 * Watching life locks is expensive: the sleep waits on as many futexes as there
 * are holders.  Most waits end before a member dies, so the first sleep watches
 * one holder only, and is short.  If another holder dies, the waiter notices it
 * when the sleep ends, or another waiter notices it.
 */
bool watch_before_sleep(struct watch *watch, struct atmost *pool, unsigned id,
			struct wait_set *wait, bool first)
{
	const bool short_nap = watch->sleep.nap && ++watch->short_naps % 64;
	const bool slept = wait_slept(wait);
	unsigned found = 0;

	watch->sleep.count = 0;
	watch->sleep.nap = 0;
	if (!pool->algorithm->recover)
		return false;
	if (first)
		watch->one_only = wait_policy.unwatched > 0;
	else if (slept)
		watch->one_only = false;
	if (slept && may_sweep_all(pool))
		found = sweep_all(pool);
	if (!found && (first || slept))
		found = sweep(pool, first || short_nap);
	if (!found && wait_is_armed(wait) && !choose(watch, pool, id)) {
		watch_after_sleep(watch);
		found = sweep_hinted(pool, NULL);
		/* Another process may be recovering the dead member. */
		nap(&watch->sleep, NAP_BESIDE_OTHERS);
	}
	if (found)
		wait_begin(wait);
	return found > 0;
}
