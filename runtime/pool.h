/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pool consists of an algorithm, its shape, and the memory that its members
 * share.
 */
#ifndef ATMOST_RUNTIME_POOL_H
#define ATMOST_RUNTIME_POOL_H

#include "atmost/atmost.h"
#include "cluster/table.h"
#include "runtime/layout.h"
#include "runtime/object_type.h"
#include "runtime/quiet.h"
#include "runtime/segment.h"

#include <pthread.h>

/*
 * This struct is private to the process; other processes see only the segment.
 */
struct atmost {
	const struct algorithm *algorithm;
	struct shape shape;
	enum atmost_kind kind;
	/* ATMOST_OBJECT only; the shape points at it. */
	struct named_object_type type;
	/* A pool of several machines: the calls of libatmost-etcd, and what they
	 * need.  NULL: a pool of this machine.  A pool of several machines has
	 * no layout, no segment and no header. */
	const struct remote_calls *calls;
	struct remote_pool *remote;
	const char *names; /* the slot names; NULL: none */
	struct layout layout;
	struct segment segment;
	struct header *header;
	bool named; /* opened by name: a forked child can use the pool */
	uint64_t generation; /* generation of the process that uses the pool:
				see process.h */
	/*
	 * Held by the thread that recovers a member, resizes, or takes and
	 * releases file locks.  File locks exclude other processes, but not the
	 * threads of this process.
	 */
	pthread_mutex_t lock;
	struct enrolled *members; /* the members of this process */
	/* How many calls of atmost_close are running, plus how many life locks
	 * other threads still hold in the closed pool.  The memory of a closed
	 * pool stays until `references` is 0. */
	unsigned references;
	bool stuck; /* a damaged life lock keeps the memory in use for ever */
	struct atmost *next, **link; /* all pools of this process */
	char names_text[];           /* the memory of `names` */
};

/*
 * The entry of a member of this process.  The kernel wipes struct atmost_member
 * in a child, but not the entry.
 */
struct enrolled {
	struct atmost *pool;
	struct atmost_member *member;
	size_t size; /* bytes of the member's memory */
	/* A member of a pool of several machines has `remote`, and neither
	 * record nor id.  NULL: another thread has ended the member. */
	struct remote_member *remote;
	struct record *record;
	unsigned id;
	uint64_t badge;
	uint64_t generation; /* generation of the process that joined */
	uint64_t mark;       /* mark of the thread that joined */
	pid_t pid;           /* pid of the process that joined */
	bool stuck;          /* parted, but its life lock is damaged */
	bool busy; /* the end of its thread, or a call of atmost_close, has
		      claimed this member in order to end it */

	/* Links of the list of the pool's members, and of the list of the
	 * thread's members. */
	struct enrolled *next, **link;
	struct enrolled *next_of_thread, **link_of_thread;
};

/*
 * One lock guards all of this process's lists of pools and of members, so that
 * a thread can end while another thread closes a pool in which the first thread
 * has a member.  Entering and leaving do not take the lock.
 */
void pool_lock_lists(struct quiet *before);
void pool_unlock_lists(const struct quiet *before);

/* Adds the pool to the list of pools.  Returns false if there is no memory. */
bool pool_enlist(struct atmost *pool);

/* Drops a reference; with the last reference, frees the pool.  The caller has
 * locked the lists. */
void pool_unreference(struct atmost *pool);

/*
 * Returns the entry of the member at this address, or NULL if there is no such
 * entry.
 */
struct enrolled *pool_find_enrolled(const struct atmost_member *member);
/* Returns true if member id of the pool belongs to this process. */
bool pool_has_enrolled(struct atmost *pool, unsigned id);

/* Take and release `lock` of struct atmost. */
void pool_lock(struct atmost *pool, struct quiet *before);
void pool_unlock(struct atmost *pool, const struct quiet *before);

/* Returns false if the pool is a shared object and this process does not have
 * the function of its object type.  Such a process can show the object's
 * status, but can neither join the object nor recover its members. */
static inline bool pool_is_known(const struct atmost *pool)
{
	return pool->kind != ATMOST_OBJECT || pool->type.apply;
}

/* Makes the pool usable in a child of the process that opened it.  Every public
 * call that takes a pool, except atmost_close, begins with this function.
 * Returns 0, ATMOST_EFORKED or ATMOST_ENOMEM. */
int pool_arrive(struct atmost *pool);

static inline void *pool_words(const struct atmost *pool)
{
	return pool->segment.base + pool->layout.words;
}

static inline struct record *pool_record(const struct atmost *pool, unsigned id)
{
	return (struct record *)(void *)(pool->segment.base +
					 pool->layout.members +
					 id * pool->layout.member_each);
}

/* Returns the own words of member id. */
static inline uint64_t *pool_own(const struct atmost *pool, unsigned id)
{
	return (uint64_t *)(void *)((char *)pool_record(pool, id) +
				    pool->layout.own);
}

/* Returns the high-water mark.  Every id below it has belonged to a member at
 * some time; processes read the records and words of these ids only. */
static inline unsigned pool_used(const struct atmost *pool)
{
	uint64_t used = mem_read(&pool->header->high_water);

	return used < pool->shape.n ? (unsigned)used : pool->shape.n;
}

/* Reserves the memory that member id touches; if id is n, the memory that a
 * resize touches. */
int pool_make_room(struct atmost *pool, unsigned id);

/* Clears the own words that do not outlive a passage. */
void pool_forget_own(const struct atmost *pool, unsigned id);

/* Returns the number of slots, open and closed.  In a group pool without a
 * limit k_max is at least the number of members. */
static inline unsigned pool_slots(const struct atmost *pool)
{
	return shape_slots(&pool->shape);
}

/*
 * pool_take, pool_take_soon and pool_release take and release file locks; the
 * caller holds `lock`.  pool_take returns 0, ATMOST_EBUSY if another process
 * holds the file lock, or another error.  A pool without a file needs no file
 * locks: for such a pool the three functions do nothing.
 */
int pool_take(struct atmost *pool, long byte);
/* Like pool_take, but keeps trying for about a second. */
int pool_take_soon(struct atmost *pool, long byte);
void pool_release(struct atmost *pool, long byte);

#endif
