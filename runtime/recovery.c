/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/recovery.h"

#include "runtime/entrust.h"
#include "runtime/life.h"
#include "runtime/outcome.h"
#include "runtime/pid.h"
#include "runtime/resize.h"
#include "runtime/self.h"

enum {
	NAP_BESIDE_ENTRUSTED = 10000000, /* ns */
	NAP_BESIDE_OTHERS = 10000000,
	NAP_UNTIL_END = 20000000,
	WATCH_ENDS = 2 /* so many at the head of the queue */
};

static unsigned phase_of(const struct record *r)
{
	return mem_read((struct word *)(uintptr_t)&r->turn) & TURN_PHASE;
}

/* Who died outside has left nothing behind. */
static bool can_recover(const struct atmost *object, unsigned id)
{
	if (!object_is_known(object))
		return false;
	return object->algorithm->recover ||
	       phase_of(&object->records[id]) == TURN_OUTSIDE;
}

/* Joined, nobody living has its life lock, and it was entrusted to nobody who
 * lives. */
static bool looks_dead(const struct atmost *object, unsigned id)
{
	const struct record *r = &object->records[id];

	return mem_read((struct word *)(uintptr_t)&r->state) & 1 &&
	       life_is_free(&r->life) && !entrust_lives(r);
}

/* We hold the life lock of id, who is dead.  False: not now, no memory. */
static bool undo(struct atmost *object, unsigned id)
{
	const struct algorithm *a = object->algorithm;
	struct record *r = &object->records[id];
	struct process victim = {
		.id = id,
		.shape = &object->shape,
		.session = mem_read(&r->session),
		.own = object_own(object, id),
	};
	uint64_t state;

	if (a->recover) {
		if (object->kind == ATMOST_OBJECT &&
		    !outcome_settle(object, &victim))
			return false;
		a->recover(object_words(object), &victim);
		object_forget_own(object, id);
	}
	mem_write(&r->turn, mem_read(&r->turn) & ~(uint64_t)TURN_PHASE);
	state = mem_read(&r->state);
	/* From here on it is over, also if we die before the count. */
	mem_write(&r->state, state & ~(STATE_JOINED | STATE_HEIRS));
	if (!(state & STATE_TO_ITSELF))
		mem_add(&object->header->recovered, 1);
	return true;
}

static bool recover(struct atmost *object, unsigned id)
{
	struct record *r = &object->records[id];
	enum life_taken taken = life_take(&r->life);
	bool dead;

	if (taken != LIFE_FREE && taken != LIFE_DEAD)
		return false;
	/* Or it has parted, or somebody else recovered it, meanwhile. */
	dead = mem_read(&r->state) & 1 && !entrust_lives(r) &&
	       can_recover(object, id);
	if (dead)
		dead = undo(object, id);
	life_release(&r->life);
	return dead;
}

unsigned recovery_look(struct atmost *object)
{
	unsigned recovered = 0;

	for (unsigned id = 0; id < object->shape.n; id++)
		if (looks_dead(object, id) && can_recover(object, id))
			recovered += recover(object, id);
	resize_finish(object);
	return recovered;
}

/*
 * Whether those inside are found by their slots.  A group has as many slots as
 * members, and to ask for each is dear; its members show where they are.
 */
static bool is_by_slot(const struct atmost *object)
{
	return object->algorithm->holder &&
	       object->algorithm->kind != KIND_GROUP_EXCLUSION;
}

unsigned recovery_look_inside(struct atmost *object)
{
	const struct algorithm *a = object->algorithm;
	unsigned recovered = 0;

	if (!is_by_slot(object))
		return recovery_look(object);
	for (unsigned slot = 0; slot < object_slots(object); slot++) {
		int id = a->holder(object_words(object), &object->shape, slot);

		if (id >= 0 && looks_dead(object, (unsigned)id))
			recovered += recover(object, (unsigned)id);
	}
	return recovered;
}

bool recovery_is_under_way(const struct atmost *object)
{
	const uint64_t here = self_name_space();

	for (unsigned id = 0; id < object->shape.n; id++) {
		struct record *r = &object->records[id];

		if (mem_read(&r->state) & STATE_JOINED &&
		    mem_read(&r->name_space) == here &&
		    pid_is_gone((pid_t)mem_read(&r->pid),
				mem_read(&r->start)) &&
		    life_is_somebodys(&r->life))
			return true;
	}
	return false;
}

bool recovery_is_lost(const struct atmost *object, unsigned id)
{
	return looks_dead(object, id) && object_is_known(object) &&
	       !can_recover(object, id);
}

bool recovery_is_left(const struct atmost *object, unsigned id)
{
	return !object_is_known(object) && looks_dead(object, id);
}

/* False: it is dead. */
static bool watch_one(struct atmost_member *me, uint64_t id,
		      struct wait_watch *watch)
{
	struct atmost *object = me->object;
	struct record *r;

	if (id >= object->shape.n || id == me->process.id)
		return true;
	r = &object->records[id];
	if (!(mem_read(&r->state) & 1))
		return true;
	member_stamp(r, mem_read(&r->turn));
	if (life_watch(&r->life, watch))
		return true;
	if (entrust_lives(r)) {
		/* Nobody is told of its end: look again soon. */
		watch->nap = NAP_BESIDE_ENTRUSTED;
		return true;
	}
	return !(mem_read(&r->state) & 1);
}

/* In the queue, from 1; *before: who is the one before us, if there is one. */
static unsigned place_of(const struct atmost_member *me, unsigned *before)
{
	const struct atmost *object = me->object;
	const struct algorithm *a = object->algorithm;
	void *words = object_words(object);
	uint64_t mine = a->rank(words, &object->shape, me->process.id);
	uint64_t nearest = 0;
	unsigned place = 1;

	for (unsigned id = 0; id < object->shape.n; id++) {
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

/* Where to look for those inside, and who is there; -1: nobody. */
static unsigned places_inside(const struct atmost *object)
{
	return is_by_slot(object) ? object_slots(object) : object->shape.n;
}

/* Let in, and does not know it yet. */
static bool is_told(const struct atmost *object, unsigned id)
{
	const struct algorithm *a = object->algorithm;

	return phase_of(&object->records[id]) == TURN_WAITING && a->rank &&
	       a->rank(object_words(object), &object->shape, id) == 0;
}

static int inside_at(const struct atmost *object, unsigned at)
{
	const struct algorithm *a = object->algorithm;

	if (is_by_slot(object))
		return a->holder(object_words(object), &object->shape, at);
	return phase_of(&object->records[at]) == TURN_INSIDE ||
			       is_told(object, at)
		       ? (int)at
		       : -1;
}

/* Those inside, from somebody else's place each, until `most` are watched. */
static bool watch_inside(struct atmost_member *me, struct wait_watch *watch,
			 unsigned most)
{
	const unsigned places = places_inside(me->object);

	for (unsigned i = 0; i < places && watch->count < most; i++) {
		int id = inside_at(me->object, (me->process.id + i) % places);

		if (id >= 0 && !watch_one(me, (uint64_t)id, watch))
			return false;
	}
	return true;
}

/*
 * Of a group those before us, too: they come in together, and then the death of
 * any one keeps us out.  Whom we do not watch for want of room we look at, soon.
 */
static bool watch_before(struct atmost_member *me, struct wait_watch *watch)
{
	const struct atmost *object = me->object;
	const struct algorithm *a = object->algorithm;
	void *words = object_words(object);
	uint64_t mine = a->rank(words, &object->shape, me->process.id);

	for (unsigned id = 0; id < object->shape.n; id++) {
		uint64_t rank = a->rank(words, &object->shape, id);

		if (watch->count == WATCH_MOST)
			break;
		if (rank && rank < mine && !watch_one(me, id, watch))
			return false;
	}
	if (watch->count == WATCH_MOST)
		watch->nap = NAP_BESIDE_OTHERS;
	return true;
}

/*
 * If all inside are entrusted, it takes the end of one to let us in, and the
 * kernel tells of it; a pool that grows, or somebody before us who gives up, can
 * wait for the nap.  Who has its life lock, too, leaves right after that end.
 */
static void watch_ends(struct atmost_member *me, struct wait_watch *watch)
{
	const struct atmost *object = me->object;
	const unsigned places = places_inside(object);

	for (unsigned at = 0; at < places; at++) {
		int id = inside_at(object, at);

		if (id < 0 || (unsigned)id == me->process.id)
			continue;
		if ((unsigned)id >= object->shape.n ||
		    !entrust_watch(&object->records[id], watch)) {
			entrust_unwatch(watch);
			return;
		}
	}
	if (watch->ends)
		watch->nap = NAP_UNTIL_END;
}

/*
 * Somebody inside is entrusted, and has no life lock.  The head of the queue
 * watches its process.  The others need not look as often, it is not their turn;
 * each watches the one before it, whose life lock ends when it becomes the
 * command: then it is at the head.  False: that one is dead.
 */
static bool watch_entrusted(struct atmost_member *me, struct wait_watch *watch)
{
	unsigned before = me->process.id;
	unsigned place = place_of(me, &before);

	if (!watch_one(me, before, watch))
		return false;
	if (place <= WATCH_ENDS)
		watch_ends(me, watch);
	else
		watch->nap *= place;
	return true;
}

bool recovery_watch(struct atmost_member *me, struct wait_watch *watch)
{
	uint64_t before = mem_swap(&me->object->header->last_sleeper,
				   me->process.id + 1);

	watch->count = 0;
	watch->nap = 0;
	if (!watch_one(me, before - 1, watch) ||
	    !watch_inside(me, watch, WATCH_MOST))
		return false;
	if (me->object->kind == ATMOST_GROUP && me->object->algorithm->rank &&
	    !watch_before(me, watch))
		return false;
	return !watch->nap || !me->object->algorithm->rank ||
	       watch_entrusted(me, watch);
}

void recovery_unwatch(struct wait_watch *watch)
{
	entrust_unwatch(watch);
}

bool recovery_watch_one(struct atmost_member *me, struct wait_watch *watch)
{
	watch->count = 0;
	watch->nap = wait_policy.unwatched;
	return watch_inside(me, watch, 1);
}
