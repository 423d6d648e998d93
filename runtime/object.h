/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pool: an algorithm, its shape, and the memory its members share.
 */
#ifndef ATMOST_RUNTIME_OBJECT_H
#define ATMOST_RUNTIME_OBJECT_H

#include "atmost/atmost.h"
#include "runtime/form.h"
#include "runtime/layout.h"
#include "runtime/quiet.h"
#include "runtime/segment.h"

#include <pthread.h>

struct enrolled;

/* Private to this process; what others see is in the segment. */
struct atmost {
	const struct algorithm *algorithm;
	struct shape shape;
	enum atmost_kind kind;
	struct form form; /* of ATMOST_OBJECT only; the shape points at it */
	struct layout layout;
	struct segment segment;
	struct header *header;
	bool named;          /* opened by name: a forked child may use it */
	uint64_t generation; /* of the process that uses it: see process.h */
	/*
	 * What one thread of this process does at a time: to recover a member,
	 * to resize, to take and release file locks.  The locks of the file
	 * exclude other processes, but not our own threads.
	 */
	pthread_mutex_t lock;
	struct enrolled *members; /* of this process: see member.c */
	unsigned left;            /* reasons to keep it after it was closed */
	bool stuck; /* a damaged life lock keeps the memory in use */
	struct atmost *next, **link; /* all pools of this process */
};

/*
 * The lists of this process, of pools and of members: one lock guards them all,
 * so that a thread may end while its pool is closed.  It is not needed to enter
 * or leave.
 */
void object_lock_lists(struct quiet *before);
void object_unlock_lists(const struct quiet *before);

/* In the list of pools; false: out of memory.  And out of it: lists locked. */
bool object_enlist(struct atmost *object);
void object_strike(struct atmost *object);

/* Of the members of this process: the one at an address; whether it has id. */
struct enrolled *object_find_enrolled(const struct atmost_member *member);
bool object_has_enrolled(struct atmost *object, unsigned id);

/* See `lock` above. */
void object_lock(struct atmost *object, struct quiet *before);
void object_unlock(struct atmost *object, const struct quiet *before);

/* Not a shared object of resilient.h. */
static inline bool object_is_pool(const struct atmost *object)
{
	return object->kind != ATMOST_OBJECT;
}

/* False: a shared object whose function is not known here.  One can look at it,
 * but not recover its dead, nor join it. */
static inline bool object_is_known(const struct atmost *object)
{
	return object->kind != ATMOST_OBJECT || object->form.apply;
}

/* Before anything is done with it in this process: 0 or ATMOST_EFORKED. */
int object_arrive(struct atmost *object);

/* Once it is mapped: where its parts are. */
static inline void object_find_parts(struct atmost *object)
{
	object->header = (struct header *)(void *)object->segment.base;
}

static inline void *object_words(const struct atmost *object)
{
	return object->segment.base + object->layout.words;
}

static inline struct record *object_record(const struct atmost *object,
					   unsigned id)
{
	return (struct record *)(void *)(object->segment.base +
					 object->layout.members +
					 id * object->layout.member_each);
}

/* The own words of member id. */
static inline uint64_t *object_own(const struct atmost *object, unsigned id)
{
	return (uint64_t *)(void *)((char *)object_record(object, id) +
				    object->layout.own);
}

/* Members below this have joined at some time: only these may be looked at. */
static inline unsigned object_used(const struct atmost *object)
{
	uint64_t used = mem_read(&object->header->high_water);

	return used < object->shape.n ? (unsigned)used : object->shape.n;
}

/* Sees to it that there is memory for member id; n: for one that resizes. */
int object_make_room(struct atmost *object, unsigned id);

/* Own words that do not outlive a passage are zero again. */
void object_forget_own(const struct atmost *object, unsigned id);

/* How many slots there are, open or not.  Without a limit (groups) k_max is at
 * least as large as members. */
static inline unsigned object_slots(const struct atmost *object)
{
	const struct shape *shape = &object->shape;

	return shape->k_max > shape->k ? shape->k_max : shape->k;
}

/*
 * File locks of this process, under object_lock: 0, ATMOST_EBUSY (another
 * process has it), or an error.  A pool without a file needs none.
 */
int object_take(struct atmost *object, long byte);
/* The same, and waits for a second. */
int object_take_soon(struct atmost *object, long byte);
void object_release(struct atmost *object, long byte);

#endif
