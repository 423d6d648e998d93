/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/recovery.h"

#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/file_lock.h"
#include "runtime/outcome.h"
#include "runtime/resize.h"

#include <time.h>
#include <unistd.h>

/* A member that died outside has left nothing behind. */
static bool can_recover(const struct atmost *object, unsigned id)
{
	if (!object_is_known(object))
		return false;
	return object->algorithm->recover ||
	       record_phase(object_record(object, id)) == TURN_OUTSIDE;
}

/* The end of a command is no death as long as its wrapper is there. */
static bool is_death(struct atmost *object, unsigned id, uint64_t state)
{
	if (state & STATE_TO_ITSELF)
		return false;
	return !(state & STATE_ENTRUSTED) ||
	       file_lock_look(segment_look(&object->segment),
			      LOCK_MEMBER + (long)id, 1) == FILE_LOCK_FREE;
}

/* The member is certified dead, and we are alone with it.  False: no memory. */
static bool undo(struct atmost *object, unsigned id)
{
	const struct algorithm *a = object->algorithm;
	struct record *r = object_record(object, id);
	struct process victim = {
		.id = id,
		.shape = &object->shape,
		.session = mem_read(&r->session),
		.own = object_own(object, id),
	};

	if (a->recover) {
		if (object->kind == ATMOST_OBJECT &&
		    !outcome_settle(object, &victim))
			return false;
		a->recover(object_words(object), &victim);
		object_forget_own(object, id);
	}
	mem_write(&r->turn, mem_read(&r->turn) & ~(uint64_t)TURN_PHASE);
	return true;
}

/*
 * The member was dead when its state was this.  We have its recovery lock: if
 * the state is still the same, no other recoverer was here, and the member was
 * not entrusted to another process.
 */
static bool bury(struct atmost *object, unsigned id, uint64_t state)
{
	struct record *r = object_record(object, id);
	bool counts;

	if (!mem_cas(&r->state, state, state | STATE_RECOVERING))
		return false;
	counts = is_death(object, id, state);
	if (!undo(object, id))
		return false;
	/* From here on it is over, also if we die before the count. */
	mem_write(&r->state, state & ~(STATE_JOINED | STATE_FLAGS));
	if (counts)
		mem_add(&object->header->recovered, 1);
	return true;
}

static int recover(struct atmost *object, unsigned id, uint64_t state)
{
	struct quiet before;
	int error;

	object_lock(object, &before);
	error = object_take(object, LOCK_RECOVERY + (long)id);
	if (!error) {
		if (!bury(object, id, state))
			error = ATMOST_EBUSY;
		object_release(object, LOCK_RECOVERY + (long)id);
	}
	object_unlock(object, &before);
	return error;
}

static unsigned look_at(const struct death_look *look, unsigned id,
			struct recovery_dying *dying)
{
	struct atmost *object = look->object;
	const uint64_t state = mem_read(&object_record(object, id)->state);
	const bool first = dying && dying->pidfd < 0;
	enum death death;

	if (!(state & STATE_JOINED) || !can_recover(object, id))
		return 0;
	death = death_of(look, id, first ? &dying->pidfd : NULL);
	if (death == DEATH_DYING && first) {
		dying->id = id;
		dying->state = state;
	} else if (first && dying->pidfd >= 0) {
		close(dying->pidfd);
		dying->pidfd = -1;
	}
	return death == DEATH_DEAD && recover(object, id, state) == 0;
}

unsigned recovery_of_dying(struct atmost *object, struct recovery_dying *dying,
			   bool ended)
{
	struct death_look look;
	bool dead;

	death_look_begin(&look, object);
	/* A child of _Fork may still hold the lock. */
	if (ended)
		dead = file_lock_look(look.fd, LOCK_MEMBER + (long)dying->id,
				      1) == FILE_LOCK_FREE;
	else
		dead = death_of(&look, dying->id, NULL) == DEATH_DEAD;
	close(dying->pidfd);
	return dead && recover(object, dying->id, dying->state) == 0;
}

static unsigned look_around(struct atmost *object, bool at_all,
			    struct recovery_dying *dying)
{
	const unsigned used = object_used(object);
	struct death_look look;
	unsigned recovered = 0;

	death_look_begin(&look, object);
	for (unsigned id = 0; id < used; id++) {
		struct record *r = object_record(object, id);

		if (at_all ? record_is_joined(r) : death_is_hinted(r))
			recovered += look_at(&look, id, dying);
	}
	resize_finish(object);
	return recovered;
}

unsigned recovery_look(struct atmost *object, struct recovery_dying *dying)
{
	return look_around(object, false, dying);
}

unsigned recovery_look_at_all(struct atmost *object)
{
	return look_around(object, true, NULL);
}

/*
 * Whether those inside are found by their slots.  A group has as many slots as
 * members, and asking for each is expensive; its members show where they are.
 */
static bool is_by_slot(const struct atmost *object)
{
	return object->algorithm->holder &&
	       object->algorithm->kind != KIND_GROUP_EXCLUSION;
}

/* Let in, and does not know it yet. */
static bool is_told(const struct atmost *object, unsigned id)
{
	const struct algorithm *a = object->algorithm;

	return record_phase(object_record(object, id)) == TURN_WAITING &&
	       a->rank &&
	       a->rank(object_words(object), &object->shape, id) == 0;
}

unsigned recovery_places(const struct atmost *object)
{
	return is_by_slot(object) ? object_slots(object) : object_used(object);
}

int recovery_inside_at(const struct atmost *object, unsigned place)
{
	const struct algorithm *a = object->algorithm;

	if (is_by_slot(object)) {
		int id = a->holder(object_words(object), &object->shape, place);

		return id < (int)object_used(object) ? id : -1;
	}
	return record_phase(object_record(object, place)) == TURN_INSIDE ||
			       is_told(object, place)
		       ? (int)place
		       : -1;
}

unsigned recovery_look_inside(struct atmost *object,
			      struct recovery_dying *dying)
{
	const unsigned places = recovery_places(object);
	struct death_look look;
	unsigned recovered = 0;

	if (!is_by_slot(object))
		return recovery_look(object, dying);
	death_look_begin(&look, object);
	for (unsigned place = 0; place < places; place++) {
		int id = recovery_inside_at(object, place);

		if (id >= 0 &&
		    death_is_hinted(object_record(object, (unsigned)id)))
			recovered += look_at(&look, (unsigned)id, dying);
	}
	return recovered;
}

bool recovery_is_under_way(struct atmost *object)
{
	const unsigned used = object_used(object);
	struct death_look look;

	death_look_begin(&look, object);
	for (unsigned id = 0; id < used; id++) {
		enum death death = death_of(&look, id, NULL);

		if (death == DEATH_DYING ||
		    (death == DEATH_DEAD && can_recover(object, id)))
			return true;
	}
	return false;
}

static bool is_dead(struct atmost *object, unsigned id)
{
	struct death_look look;

	death_look_begin(&look, object);
	return death_of(&look, id, NULL) == DEATH_DEAD;
}

bool recovery_is_lost(struct atmost *object, unsigned id)
{
	return object_is_known(object) && !can_recover(object, id) &&
	       is_dead(object, id);
}

bool recovery_is_left(struct atmost *object, unsigned id)
{
	return !object_is_known(object) && is_dead(object, id);
}

bool recovery_of_own(struct atmost *object, unsigned id)
{
	struct quiet before;
	bool undone = false;

	if (!object->algorithm->recover)
		return false;
	object_lock(object, &before);
	undone = undo(object, id);
	object_unlock(object, &before);
	return undone;
}

static bool is_still(struct record *r, uint64_t badge, bool *entrusted)
{
	const uint64_t state = mem_read(&r->state);

	*entrusted = state & STATE_ENTRUSTED;
	return state & STATE_JOINED && !(state & STATE_RECOVERING) &&
	       record_badge(state) == badge;
}

bool recovery_exclude(struct atmost *object, unsigned id, uint64_t badge,
		      struct recovery_exclusion *exclusion)
{
	const struct timespec moment = { 0, 1000000 };
	struct record *r = object_record(object, id);
	bool entrusted;

	exclusion->taken = false;
	while (is_still(r, badge, &entrusted)) {
		int error;

		if (!entrusted)
			return true;
		object_lock(object, &exclusion->before);
		error = object_take(object, LOCK_RECOVERY + (long)id);
		exclusion->taken = !error && is_still(r, badge, &entrusted);
		if (exclusion->taken)
			return true;
		if (!error)
			object_release(object, LOCK_RECOVERY + (long)id);
		object_unlock(object, &exclusion->before);
		/* A recoverer only looks, or will say that it recovers. */
		nanosleep(&moment, NULL);
	}
	return false;
}

void recovery_allow(struct atmost *object, unsigned id,
		    const struct recovery_exclusion *exclusion)
{
	if (!exclusion->taken)
		return;
	object_release(object, LOCK_RECOVERY + (long)id);
	object_unlock(object, &exclusion->before);
}

/* The id of the member that holds the slot; -1: none. */
static int holder_of(const struct atmost *object, unsigned slot)
{
	const unsigned places = recovery_places(object);

	for (unsigned place = 0; place < places; place++) {
		int id = recovery_inside_at(object, place);
		uint64_t there = place;

		if (id < 0)
			continue;
		if (!is_by_slot(object))
			there = mem_read(
				&object_record(object, (unsigned)id)->slot);
		if (there == slot)
			return id;
	}
	return -1;
}

int recovery_force(struct atmost *object, unsigned slot)
{
	const int id = holder_of(object, slot);
	struct death_look look;
	uint64_t state;

	if (id < 0)
		return error_say(ATMOST_ENOTFOUND, "no member holds slot %u",
				 slot);
	if (!object->algorithm->recover)
		return error_say(ATMOST_ENOTABORTABLE,
				 "%s cannot recover a slot",
				 object->algorithm->name);
	death_look_begin(&look, object);
	state = mem_read(&object_record(object, (unsigned)id)->state);
	switch (death_of(&look, (unsigned)id, NULL)) {
	case DEATH_DEAD:
	case DEATH_UNKNOWN:
		return recover(object, (unsigned)id, state);
	default:
		return error_say(ATMOST_EBUSY, "the holder of slot %u is alive",
				 slot);
	}
}
