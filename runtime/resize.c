/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/resize.h"

#include "runtime/error.h"
#include "runtime/remote.h"

/* A resize takes microseconds, but another process may be stopped in the middle
 * of one: so the caller waits for the lock, but only for about a second. */
static int lock(struct atmost *pool)
{
	int error = pool_take_soon(pool, LOCK_RESIZE);

	if (error == ATMOST_EBUSY)
		return error_say(error, "another process has been resizing the "
					"pool for a second");
	return error;
}

/* k = 0 means no limit: that needs a group pool with slots for all members. */
static bool fits(const struct atmost *pool, uint64_t k)
{
	const struct shape *shape = &pool->shape;

	if (k == 0)
		return pool->kind == ATMOST_GROUP && shape->k_max >= shape->n;
	return k <= shape->k_max;
}

/* The caller holds LOCK_RESIZE.  A process that finds `resizing` set while the
 * lock is free repeats the whole resize. */
static void change(struct atmost *pool, uint64_t k)
{
	const struct shape *shape = &pool->shape;

	pool->algorithm->resize(pool_words(pool), shape,
				k ? (unsigned)k : shape->n);
	mem_write(&pool->header->resizing, 0);
}

static int resize(struct atmost *pool, unsigned k)
{
	struct quiet before;
	int error;

	pool_lock(pool, &before);
	error = pool_make_room(pool, pool->shape.n);
	if (!error)
		error = lock(pool);
	if (!error) {
		mem_write(&pool->header->resizing, 1);
		mem_write(&pool->header->k_now, k);
		change(pool, k);
		pool_release(pool, LOCK_RESIZE);
	}
	pool_unlock(pool, &before);
	return error;
}

int atmost_resize(struct atmost *pool, unsigned k)
{
	const struct algorithm *a = pool->algorithm;
	int error = pool_arrive(pool);

	if (error)
		return error;
	if (pool->calls && pool->kind != ATMOST_MUTEX)
		return remote_resize(pool, k);
	if (!a->resize && pool->kind == ATMOST_GROUP)
		return error_say(ATMOST_ENOTRESIZABLE,
				 "%s has no limit; make the pool anew with a "
				 "k or a k_max to have one",
				 a->name);
	if (!a->resize || pool->kind == ATMOST_MUTEX)
		return error_say(ATMOST_ENOTRESIZABLE, "%s",
				 pool->kind == ATMOST_MUTEX
					 ? "a mutex has k = 1"
					 : "the algorithm cannot change its k");
	if (pool->names && k > pool->shape.k_max)
		return error_say(ATMOST_ESHAPE,
				 "k is %u; it must be between 1 and %u, "
				 "because the pool has only %u slot names",
				 k, pool->shape.k_max, pool->shape.k_max);
	if (!fits(pool, k))
		return error_say(ATMOST_ESHAPE,
				 "k is %u; it must be between %s and %u", k,
				 fits(pool, 0) ? "0 (no limit)" : "1",
				 pool->shape.k_max);
	return resize(pool, k);
}

void resize_finish(struct atmost *pool)
{
	struct quiet before;
	uint64_t k;

	if (!pool->algorithm->resize || mem_read(&pool->header->resizing) == 0)
		return;
	pool_lock(pool, &before);
	if (pool_take(pool, LOCK_RESIZE) == 0) {
		k = mem_read(&pool->header->k_now);
		if (mem_read(&pool->header->resizing) && fits(pool, k))
			change(pool, k);
		pool_release(pool, LOCK_RESIZE);
	}
	pool_unlock(pool, &before);
}
