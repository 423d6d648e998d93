/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/object.h"

#include "runtime/enrolled.h"
#include "runtime/error.h"
#include "runtime/file_lock.h"
#include "runtime/process.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;
static struct atmost *pools;
static bool forks_are_watched;

void object_lock_lists(struct quiet *before)
{
	quiet_begin(before);
	pthread_mutex_lock(&lists);
}

void object_unlock_lists(const struct quiet *before)
{
	pthread_mutex_unlock(&lists);
	quiet_end(before);
}

static void before_fork(void)
{
	pthread_mutex_lock(&lists);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&lists);
}

/* A child that kept the description would keep its parent's locks. */
static void after_fork_in_child(void)
{
	for (struct atmost *o = pools; o; o = o->next)
		segment_forget_hold(&o->segment);
	pthread_mutex_unlock(&lists);
}

bool object_enlist(struct atmost *object)
{
	struct quiet before;

	object_lock_lists(&before);
	if (!forks_are_watched)
		forks_are_watched = pthread_atfork(before_fork, after_fork,
						   after_fork_in_child) == 0;
	if (forks_are_watched) {
		object->next = pools;
		object->link = &pools;
		if (pools)
			pools->link = &object->next;
		pools = object;
	}
	object_unlock_lists(&before);
	return forks_are_watched;
}

void object_strike(struct atmost *object)
{
	*object->link = object->next;
	if (object->next)
		object->next->link = object->link;
}

struct enrolled *object_find_enrolled(const struct atmost_member *member)
{
	struct enrolled *found = NULL;
	struct quiet before;

	object_lock_lists(&before);
	for (struct atmost *o = pools; o && !found; o = o->next)
		for (struct enrolled *e = o->members; e && !found; e = e->next)
			found = e->member == member ? e : NULL;
	object_unlock_lists(&before);
	return found;
}

bool object_has_enrolled(struct atmost *object, unsigned id)
{
	struct enrolled *e;
	struct quiet before;

	object_lock_lists(&before);
	for (e = object->members; e; e = e->next)
		if (e->id == id && e->generation == object->generation)
			break;
	object_unlock_lists(&before);
	return e != NULL;
}

void object_lock(struct atmost *object, struct quiet *before)
{
	quiet_begin(before);
	pthread_mutex_lock(&object->lock);
}

void object_unlock(struct atmost *object, const struct quiet *before)
{
	pthread_mutex_unlock(&object->lock);
	quiet_end(before);
}

/* A child has a copy of the pool; and of its lock, as other threads left it. */
static void settle_in_child(struct atmost *object, uint64_t generation)
{
	struct quiet before;

	object_lock_lists(&before);
	if (object->generation != generation) {
		segment_forget_hold(&object->segment);
		pthread_mutex_init(&object->lock, NULL);
		object->generation = generation;
	}
	object_unlock_lists(&before);
}

int object_arrive(struct atmost *object)
{
	const uint64_t generation = process_generation();

	if (!generation)
		return error_is(ATMOST_ENOMEM);
	if (object->generation == generation)
		return 0;
	if (!object->named)
		return error_say(ATMOST_EFORKED,
				 "the process that created the "
				 "pool has forked this one; only a pool opened "
				 "by name passes to a child");
	settle_in_child(object, generation);
	return 0;
}

void object_forget_own(const struct atmost *object, unsigned id)
{
	const struct algorithm *a = object->algorithm;
	const struct shape *shape = &object->shape;
	unsigned kept = a->own_persistent ? a->own_persistent(shape) : 0;
	unsigned count = a->own_words ? a->own_words(shape) : 0;

	if (count > kept)
		memset(object_own(object, id) + kept, 0,
		       (count - kept) * sizeof(uint64_t));
}

int object_make_room(struct atmost *object, unsigned id)
{
	struct word *mark = &object->header->high_water;
	const unsigned used = object_used(object);
	const unsigned from = id < object->shape.n ? used : id;
	struct extent bytes;
	uint64_t now;
	int error = 0;

	if (id < used)
		return 0;
	for (unsigned piece = 0; object->named && !error; piece++) {
		if (!layout_extent(&object->layout, object->algorithm,
				   &object->shape, from, id + 1, piece, &bytes))
			break;
		error = segment_reserve(&object->segment, bytes.from,
					bytes.count);
	}
	if (error || id >= object->shape.n)
		return error;
	do
		now = mem_read(mark);
	while (now <= id && !mem_cas(mark, now, id + 1));
	return 0;
}

/* The program has closed our descriptor: its members' locks are gone. */
static void take_again(struct atmost *object, int hold)
{
	struct quiet before;

	object_lock_lists(&before);
	for (struct enrolled *e = object->members; e; e = e->next)
		if (e->generation == object->generation)
			file_lock_take(hold, LOCK_MEMBER + (long)e->id);
	object_unlock_lists(&before);
}

int object_take(struct atmost *object, long byte)
{
	bool lost;
	int hold;

	if (!object->named)
		return 0;
	hold = segment_hold(&object->segment, &lost);
	if (hold < 0)
		return hold;
	if (lost)
		take_again(object, hold);
	switch (file_lock_take(hold, byte)) {
	case FILE_LOCK_FREE:
		return 0;
	case FILE_LOCK_HELD:
		return ATMOST_EBUSY;
	case FILE_LOCK_REFUSED:
		break;
	}
	return file_lock_complain();
}

int object_take_soon(struct atmost *object, long byte)
{
	enum { TRIES = 1000 };
	const struct timespec moment = { 0, 1000000 };
	int error = object_take(object, byte);

	for (unsigned i = 0; error == ATMOST_EBUSY && i < TRIES; i++) {
		nanosleep(&moment, NULL);
		error = object_take(object, byte);
	}
	return error;
}

void object_release(struct atmost *object, long byte)
{
	if (object->named && object->segment.hold >= 0)
		file_lock_release(object->segment.hold, byte);
}
