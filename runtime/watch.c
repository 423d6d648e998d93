/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/watch.h"

#include "runtime/machine.h"
#include "runtime/record.h"
#include "runtime/sweep.h"

#include <poll.h>
#include <sched.h>
#include <time.h>

/*
 * If the kernel has not marked the life lock of a dead member, a waiter finds
 * the death only by looking at the member's file lock.  The waiters at the head
 * of the queue look at all holders at the end of each nap.  From time to time
 * one of the waiters sweeps all members.  This is the task of the first waiter;
 * another waiter sweeps only if the first waiter, which may be stopped or dead,
 * does not.  Waiters that do not know their positions, or that nap for a short
 * time, sweep more often, and so find dead holders, too.
 */
enum {
	/* The least time between two sweeps, in units of 2^20 ns, about a
	 * millisecond. */
	SWEEP_IF_UNKNOWN = 250,
	SWEEP_IF_FIRST = 2500,
	SWEEP_IF_BEHIND = 3500
};

/* The longest time, in ns, for which a waiter sleeps if another process may be
 * recovering a dead member. */
enum { NAP_BESIDE_RECOVERY = 10000000 };

void watch_begin(struct watch *watch, const volatile int *interrupt,
		 bool patient)
{
	watched_clear(&watch->next);
	watch->next.sleep.interrupt = interrupt;
	watch->next.sleep.ends = 0;
	watch->next.place.position = 0;
	watch->next.patient = patient;
	watch->short_naps = 0;
	watch->one_only = false;
}

void watch_after_sleep(struct watch *watch)
{
	watched_close(&watch->next);
}

/* `position` is 0 if it is not known. */
static bool may_sweep_all(struct atmost *pool, unsigned position)
{
	const uint64_t between = position == 0   ? SWEEP_IF_UNKNOWN
				 : position == 1 ? SWEEP_IF_FIRST
						 : SWEEP_IF_BEHIND;
	struct word *looked = &pool->header->looked;
	const uint64_t last = mem_read(looked), now = machine_clock();

	return pool->named && now - last > between &&
	       mem_cas(looked, last, now);
}

/*
 * A killed process ends 100 to 300 us after the kernel has marked its life
 * lock, and a sleeper takes 60 to 80 us to wake.  So the waiter polls the pidfd
 * for some time before it sleeps.
 */
static bool ends_soon(int pidfd)
{
	enum {
		SOON = 400000 /* ns */,
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

static unsigned sweep(struct atmost *pool,
		      unsigned (*members)(struct atmost *,
					  struct sweep_dying *))
{
	struct sweep_dying dying = { .pidfd = -1 };
	unsigned found = members(pool, &dying);

	if (dying.pidfd >= 0)
		found += sweep_dying(pool, &dying, ends_soon(dying.pidfd));
	return found;
}

/*
 * Called by a waiter that watched a holder, if an event has ended its sleep.
 * When the thread of a holder ends, the kernel wakes only one of the waiters
 * that watch the holder.  Suppose that this waiter is behind the head of the
 * queue, and that the holder lives on because it is entrusted: then a waiter at
 * the head must watch the entrusted process.  So the waiter that the kernel
 * woke wakes the second waiter of the queue, which watches the turn of the
 * first.
 */
static void wake_head(struct atmost *pool, const struct queue_place *place)
{
	if (place->position > QUEUE_HEAD)
		record_wake(pool_record(pool, place->first.id));
}

/* Looks up the place of a waiter that has slept, if the waiter needs it. */
static void find_place(struct watch *watch, struct atmost *pool, unsigned id,
		       bool relies)
{
	struct queue_place *place = &watch->next.place;
	const bool woken = !place->position && !wait_nap_is_over() &&
			   watched_by_head(pool);

	if (relies || woken)
		queue_update(pool, id, place);
	if (woken)
		wake_head(pool, place);
	if (!relies)
		place->position = 0;
}

/*
 * Looks at other members, after a sleep.  A waiter that relies on the head of
 * the queue looks only if it is itself at the head, or if an event ended its
 * sleep.  `short_nap`: look at the holders only.  Returns how many dead members
 * the waiter has recovered.
 */
static unsigned look_around(struct watch *watch, struct atmost *pool,
			    unsigned id, bool short_nap)
{
	const struct queue_place *place = &watch->next.place;
	const bool relies = watched_relies_on_head(pool);

	find_place(watch, pool, id, relies);
	if (may_sweep_all(pool, short_nap ? 0 : place->position))
		return sweep(pool, sweep_all);
	if (place->position > QUEUE_HEAD && wait_nap_is_over())
		return 0;
	if (short_nap)
		return sweep(pool, sweep_holders);
	return sweep(pool, relies ? sweep_hinted_and_holders : sweep_hinted);
}

static bool choose(struct watch *watch, struct atmost *pool, unsigned id)
{
	return watch->one_only ? watched_choose_one(&watch->next, pool, id)
			       : watched_choose_all(&watch->next, pool, id);
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
	const bool short_nap = watch->next.sleep.nap &&
			       ++watch->short_naps % 64;
	const bool slept = wait_slept(wait);
	unsigned found = 0;

	watched_clear(&watch->next);
	if (!pool->algorithm->recover)
		return false;
	if (first)
		watch->one_only = wait_policy.unwatched > 0;
	else if (slept)
		watch->one_only = false;
	if (slept)
		found = look_around(watch, pool, id, short_nap);
	else if (first)
		found = sweep(pool, sweep_holders);
	if (!found && wait_is_armed(wait) && !choose(watch, pool, id)) {
		watch_after_sleep(watch);
		found = sweep_hinted(pool, NULL);
		watched_nap(&watch->next, NAP_BESIDE_RECOVERY);
	}
	if (found) {
		watch->next.place.position = 0;
		wait_begin(wait);
	}
	return found > 0;
}
