/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/pool.h"

#include "runtime/error.h"
#include "runtime/file_lock.h"
#include "runtime/process.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;
static struct atmost *pools;
static bool forks_are_watched;

void pool_lock_lists(struct quiet *before)
{
	quiet_begin(before);
	pthread_mutex_lock(&lists);
}

void pool_unlock_lists(const struct quiet *before)
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

/* If the child kept the file description, the parent's file locks would stay
 * held after the parent's end. */
static void after_fork_in_child(void)
{
	for (struct atmost *pool = pools; pool; pool = pool->next)
		segment_forget_hold(&pool->segment);
	pthread_mutex_unlock(&lists);
}

bool pool_enlist(struct atmost *pool)
{
	struct quiet before;

	pool_lock_lists(&before);
	if (!forks_are_watched)
		forks_are_watched = pthread_atfork(before_fork, after_fork,
						   after_fork_in_child) == 0;
	if (forks_are_watched) {
		pool->next = pools;
		pool->link = &pools;
		if (pools)
			pools->link = &pool->next;
		pools = pool;
	}
	pool_unlock_lists(&before);
	return forks_are_watched;
}

void pool_unreference(struct atmost *pool)
{
	if (--pool->references > 0 || pool->stuck)
		return;
	*pool->link = pool->next;
	if (pool->next)
		pool->next->link = pool->link;
	mem_forget(pool->segment.base);
	segment_close(&pool->segment);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

struct enrolled *pool_find_enrolled(const struct atmost_member *member)
{
	struct enrolled *found = NULL;
	struct quiet before;

	pool_lock_lists(&before);
	for (struct atmost *pool = pools; pool && !found; pool = pool->next)
		for (struct enrolled *e = pool->members; e && !found;
		     e = e->next)
			found = e->member == member ? e : NULL;
	pool_unlock_lists(&before);
	return found;
}

bool pool_has_enrolled(struct atmost *pool, unsigned id)
{
	struct enrolled *e;
	struct quiet before;

	pool_lock_lists(&before);
	for (e = pool->members; e; e = e->next)
		if (e->id == id && e->generation == pool->generation)
			break;
	pool_unlock_lists(&before);
	return e != NULL;
}

void pool_lock(struct atmost *pool, struct quiet *before)
{
	quiet_begin(before);
	pthread_mutex_lock(&pool->lock);
}

void pool_unlock(struct atmost *pool, const struct quiet *before)
{
	pthread_mutex_unlock(&pool->lock);
	quiet_end(before);
}

/*
 * Prepares a child's copy of the pool.  The copy of the mutex may be locked,
 * because a thread of the parent held the mutex during the fork.
 *
 * Other threads of the child may call pool_arrive meanwhile.  A thread that
 * reads the new generation there goes on to use the mutex and the segment.  So
 * the write of the generation comes last.  The write and that read must not be
 * relaxed: they ensure that the thread sees the new mutex and segment.
 */
static void settle_in_child(struct atmost *pool, uint64_t generation)
{
	struct quiet before;

	pool_lock_lists(&before);
	if (pool->generation != generation) {
		segment_forget_hold(&pool->segment);
		pthread_mutex_init(&pool->lock, NULL);
		__atomic_store_n(&pool->generation, generation,
				 __ATOMIC_SEQ_CST);
	}
	pool_unlock_lists(&before);
}

int pool_arrive(struct atmost *pool)
{
	const uint64_t generation = process_generation();

	if (!generation)
		return error_is(ATMOST_ENOMEM);
	if (__atomic_load_n(&pool->generation, __ATOMIC_SEQ_CST) == generation)
		return 0;
	if (!pool->named)
		return error_say(ATMOST_EFORKED,
				 "the parent of this process created the pool; "
				 "a child can use only a pool that was opened "
				 "by name");
	settle_in_child(pool, generation);
	return 0;
}

void pool_forget_own(const struct atmost *pool, unsigned id)
{
	const struct algorithm *a = pool->algorithm;
	const struct shape *shape = &pool->shape;
	unsigned kept = a->own_persistent ? a->own_persistent(shape) : 0;
	unsigned count = a->own_words ? a->own_words(shape) : 0;

	if (count > kept)
		memset(pool_own(pool, id) + kept, 0,
		       (count - kept) * sizeof(uint64_t));
}

int pool_make_room(struct atmost *pool, unsigned id)
{
	struct word *mark = &pool->header->high_water;
	const unsigned used = pool_used(pool);
	const unsigned from = id < pool->shape.n ? used : id;
	struct extent bytes;
	uint64_t now;
	int error = 0;

	if (id < used)
		return 0;
	for (unsigned piece = 0; pool->named && !error; piece++) {
		if (!layout_extent(&pool->layout, pool->algorithm, &pool->shape,
				   from, id + 1, piece, &bytes))
			break;
		error = segment_reserve(&pool->segment, bytes.from,
					bytes.count);
	}
	if (error || id >= pool->shape.n)
		return error;
	do
		now = mem_read(mark);
	while (now <= id && !mem_cas(mark, now, id + 1));
	return 0;
}

/* Takes the file locks of this process's members again, because the program has
 * closed our descriptor and so released them. */
static void take_again(struct atmost *pool, int hold)
{
	struct quiet before;

	pool_lock_lists(&before);
	for (struct enrolled *e = pool->members; e; e = e->next)
		if (e->generation == pool->generation)
			file_lock_take(hold, LOCK_MEMBER + (long)e->id);
	pool_unlock_lists(&before);
}

int pool_take(struct atmost *pool, long byte)
{
	bool lost;
	int hold;

	if (!pool->named)
		return 0;
	hold = segment_hold(&pool->segment, &lost);
	if (hold < 0)
		return hold;
	if (lost)
		take_again(pool, hold);
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

int pool_take_soon(struct atmost *pool, long byte)
{
	enum { TRIES = 1000 };
	const struct timespec moment = { 0, 1000000 };
	int error = pool_take(pool, byte);

	for (unsigned i = 0; error == ATMOST_EBUSY && i < TRIES; i++) {
		nanosleep(&moment, NULL);
		error = pool_take(pool, byte);
	}
	return error;
}

void pool_release(struct atmost *pool, long byte)
{
	if (pool->named && pool->segment.hold >= 0)
		file_lock_release(pool->segment.hold, byte);
}
