/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/watch.h"

#include "runtime/death.h"
#include "runtime/life.h"
#include "runtime/recovery.h"
#include "runtime/self.h"

#include <poll.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum {
	NAP_BESIDE_ENTRUSTED = 10000000, /* ns */
	NAP_BESIDE_OTHERS = 10000000,
	NAP_BESIDE_DYING = 2000000,
	NAP_BESIDE_UNKNOWN = 200000000,
	NAP_UNTIL_END = 20000000,
	WATCH_ENDS = 2, /* waiters at the head of the queue that watch pidfds */
	LOOK_EVERY = 250 /* 2^20 ns, about a quarter of a second */
};

void watch_begin(struct wait_watch *watch)
{
	watch->nap = 0;
	watch->naps = 0;
	watch->later = false;
	watch->count = 0;
	watch->ends = 0;
}

void watch_after_sleep(struct wait_watch *watch)
{
	while (watch->ends > 0)
		close(watch->end[--watch->ends]);
}

static void nap(struct wait_watch *watch, long time)
{
	if (!watch->nap || time < watch->nap)
		watch->nap = time;
}

static void watch_end(struct wait_watch *watch, int pidfd)
{
	if (pidfd < 0)
		return;
	if (watch->ends < WATCH_MOST)
		watch->end[watch->ends++] = pidfd;
	else
		close(pidfd);
}

/* A member without a life lock that somebody could watch.  False: it is dead. */
static bool watch_without_lock(const struct death_look *look, unsigned id,
			       struct wait_watch *watch)
{
	struct record *r = object_record(look->object, id);
	int pidfd = -1;

	switch (death_of(look, id, &pidfd)) {
	case DEATH_DEAD:
		return !record_is_joined(r);
	case DEATH_DYING:
		watch_end(watch, pidfd);
		nap(watch, NAP_BESIDE_DYING);
		return true;
	case DEATH_UNKNOWN:
		nap(watch, NAP_BESIDE_UNKNOWN);
		return true;
	case DEATH_ALIVE:
	case DEATH_UNLOCKED:
		break;
	}
	/* No futex tells of its end: look again soon. */
	nap(watch, NAP_BESIDE_ENTRUSTED);
	if (pidfd >= 0)
		close(pidfd);
	return true;
}

/* False: it is dead. */
static bool watch_one(const struct atmost_member *me,
		      const struct death_look *look, uint64_t id,
		      struct wait_watch *watch)
{
	struct record *r;
	uint64_t state;

	if (id >= object_used(look->object) || id == me->process.id)
		return true;
	r = object_record(look->object, (unsigned)id);
	state = mem_read(&r->state);
	if (!(state & STATE_JOINED))
		return true;
	record_stamp(r, mem_read(&r->turn));
	if (life_watch(&r->life, watch)) {
		if (state & STATE_UNWATCHED)
			nap(watch, NAP_BESIDE_OTHERS);
		return true;
	}
	return watch_without_lock(look, (unsigned)id, watch);
}

/* In the queue, from 1; *before: the id of the waiter before us, if any. */
static unsigned place_of(const struct atmost_member *me, unsigned *before)
{
	const struct atmost *object = me->object;
	const struct algorithm *a = object->algorithm;
	const unsigned used = object_used(object);
	void *words = object_words(object);
	uint64_t mine = a->rank(words, &object->shape, me->process.id);
	uint64_t nearest = 0;
	unsigned place = 1;

	for (unsigned id = 0; id < used; id++) {
		uint64_t rank = a->rank(words, &object->shape, id);

		if (!rank || rank >= mine)
			continue;
		place++;
		if (rank > nearest) {
			nearest = rank;
			*before = id;
		}
	}
	return place;
}

/* Those inside, each waiter from another place on, until `most` are watched. */
static bool watch_inside(const struct atmost_member *me,
			 const struct death_look *look,
			 struct wait_watch *watch, unsigned most)
{
	const unsigned places = recovery_places(look->object);

	for (unsigned i = 0; i < places && watch->count < most; i++) {
		int id = recovery_inside_at(look->object,
					    (me->process.id + i) % places);

		if (id >= 0 && !watch_one(me, look, (uint64_t)id, watch))
			return false;
	}
	return true;
}

/*
 * In a group those before us, too: they come in together, and then the death of
 * any one keeps us out.  A waiter has no room to watch all of many: it looks at
 * the others soon.
 */
static bool watch_before(const struct atmost_member *me,
			 const struct death_look *look,
			 struct wait_watch *watch)
{
	const struct atmost *object = me->object;
	const struct algorithm *a = object->algorithm;
	const unsigned used = object_used(object);
	void *words = object_words(object);
	uint64_t mine = a->rank(words, &object->shape, me->process.id);

	for (unsigned id = 0; id < used; id++) {
		uint64_t rank = a->rank(words, &object->shape, id);

		if (watch->count == WATCH_MOST)
			break;
		if (rank && rank < mine && !watch_one(me, look, id, watch))
			return false;
	}
	if (watch->count == WATCH_MOST)
		nap(watch, NAP_BESIDE_OTHERS);
	return true;
}

/*
 * If all inside are entrusted, it takes the end of one to let us in, and the
 * kernel tells of it; a pool that grows, or a waiter before us that gives up, can
 * wait for the nap.
 */
static void watch_ends(const struct atmost_member *me,
		       const struct death_look *look, struct wait_watch *watch)
{
	const unsigned places = recovery_places(look->object);

	watch_after_sleep(watch);
	for (unsigned place = 0; place < places; place++) {
		int id = recovery_inside_at(look->object, place), pidfd = -1;

		if (id < 0 || (unsigned)id == me->process.id)
			continue;
		death_of(look, (unsigned)id, &pidfd);
		if (pidfd < 0 || watch->ends == WATCH_MOST) {
			if (pidfd >= 0)
				close(pidfd);
			watch_after_sleep(watch);
			return;
		}
		watch_end(watch, pidfd);
	}
	if (watch->ends)
		watch->nap = NAP_UNTIL_END;
}

/*
 * A holder is entrusted, and has no life lock.  The head of the queue watches
 * its process.  The others need not look as often, it is not their turn; each
 * watches the waiter before it, whose life lock ends when it becomes the
 * command: then it is at the head.  False: that one is dead.
 */
static bool watch_entrusted(const struct atmost_member *me,
			    const struct death_look *look,
			    struct wait_watch *watch)
{
	unsigned before = me->process.id;
	unsigned place = place_of(me, &before);

	if (!watch_one(me, look, before, watch))
		return false;
	if (place <= WATCH_ENDS)
		watch_ends(me, look, watch);
	else
		watch->nap *= place;
	return true;
}

/* The members inside, and the one that went to sleep before us, which will be
 * inside next.  False: one of them is dead, do not sleep. */
static bool watch_all(struct atmost_member *me, struct wait_watch *watch)
{
	struct atmost *object = me->object;
	uint64_t before = mem_swap(&object->header->last_sleeper,
				   me->process.id + 1);
	struct death_look look;

	death_look_begin(&look, object);
	if (!watch_one(me, &look, before - 1, watch) ||
	    !watch_inside(me, &look, watch, WATCH_MOST))
		return false;
	if (object->kind == ATMOST_GROUP && object->algorithm->rank &&
	    !watch_before(me, &look, watch))
		return false;
	return !watch->nap || watch->ends || !object->algorithm->rank ||
	       watch_entrusted(me, &look, watch);
}

/* One of those inside only, another for each waiter; the sleep is short. */
static bool watch_one_inside(struct atmost_member *me, struct wait_watch *watch)
{
	struct death_look look;

	death_look_begin(&look, me->object);
	watch->nap = wait_policy.unwatched;
	return watch_inside(me, &look, watch, 1);
}

/*
 * A death that nothing hints at is found by asking for every member's file lock.
 * The waiters of a pool together do that four times a second.
 */
static bool may_look_at_all(struct atmost *object)
{
	struct word *looked = &object->header->looked;
	const uint64_t last = mem_read(looked), now = self_clock();

	return object->named && now - last > LOOK_EVERY &&
	       mem_cas(looked, last, now);
}

/*
 * A process that was killed closes its files some 100 us after its life lock was
 * marked: as soon as a sleeper would wake.  So the waiter looks again for that
 * long, and sleeps only then.
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

static unsigned look_for_dead(struct atmost *object, bool at_holders)
{
	struct recovery_dying dying = { .pidfd = -1 };
	unsigned found = at_holders ? recovery_look_inside(object, &dying)
				    : recovery_look(object, &dying);

	if (dying.pidfd >= 0)
		found += recovery_of_dying(object, &dying,
					   ends_soon(dying.pidfd));
	return found;
}

/*
 * After the short naps beside an entrusted holder only those inside are looked
 * at, but once in a while all.
 *
 * Watching life locks is expensive: there are as many futexes to wait for as
 * there are holders.  Most waits are over before a member dies, so the first
 * sleep watches but one, and is short: the death of another is noticed when it
 * ends, or by another waiter.
 */
bool watch_before_sleep(struct atmost_member *me, struct wait_set *wait,
			struct wait_watch *watch, bool first)
{
	struct atmost *object = me->object;
	const bool short_nap = watch->nap && ++watch->naps % 64;
	unsigned found = 0;

	watch->count = 0;
	watch->nap = 0;
	if (!object->algorithm->recover)
		return false;
	if (first)
		watch->later = wait_policy.unwatched > 0;
	else if (wait_slept(wait))
		watch->later = false;
	if (wait_slept(wait) && may_look_at_all(object))
		found = recovery_look_at_all(object);
	if (!found && (first || wait_slept(wait)))
		found = look_for_dead(object, first || short_nap);
	if (!found && wait_is_armed(wait) &&
	    !(watch->later ? watch_one_inside(me, watch)
			   : watch_all(me, watch))) {
		watch_after_sleep(watch);
		found = recovery_look(object, NULL);
		/* Another recoverer is at it. */
		nap(watch, NAP_BESIDE_OTHERS);
	}
	if (found)
		wait_begin(wait);
	return found > 0;
}
