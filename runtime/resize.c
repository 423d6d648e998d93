/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/resize.h"

#include "runtime/error.h"

/* A resize takes microseconds; a process that is stopped in one keeps others
 * out. */
static int lock(struct atmost *object)
{
	int error = object_take_soon(object, LOCK_RESIZE);

	if (error == ATMOST_EBUSY)
		return error_say(error, "another process has been resizing the "
					"pool for a second");
	return error;
}

/* A group that has room for all its members may do without a limit: k = 0. */
static bool fits(const struct atmost *object, uint64_t k)
{
	const struct shape *shape = &object->shape;

	if (k == 0)
		return object->kind == ATMOST_GROUP && shape->k_max >= shape->n;
	return k <= shape->k_max;
}

static int refuse(const struct atmost *object, unsigned k)
{
	const struct shape *shape = &object->shape;

	return error_say(ATMOST_ESHAPE,
			 "k is %u; the pool has room for %s to %u", k,
			 fits(object, 0) ? "0 (no limit)" : "1", shape->k_max);
}

/* The lock is ours.  Whoever finds `resizing` set while the lock is free does
 * the whole again. */
static void change(struct atmost *object, uint64_t k)
{
	const struct shape *shape = &object->shape;

	object->algorithm->resize(object_words(object), shape,
				  k ? (unsigned)k : shape->n);
	mem_write(&object->header->resizing, 0);
}

static int resize(struct atmost *object, unsigned k)
{
	struct quiet before;
	int error;

	object_lock(object, &before);
	error = object_make_room(object, object->shape.n);
	if (!error)
		error = lock(object);
	if (!error) {
		mem_write(&object->header->resizing, 1);
		mem_write(&object->header->k_now, k);
		change(object, k);
		object_release(object, LOCK_RESIZE);
	}
	object_unlock(object, &before);
	return error;
}

int atmost_resize(struct atmost *object, unsigned k)
{
	const struct algorithm *a = object->algorithm;
	int error = object_arrive(object);

	if (error)
		return error;
	if (!a->resize || object->kind == ATMOST_MUTEX)
		return error_say(ATMOST_ENOTRESIZABLE, "%s",
				 a->resize
					 ? "a mutex has k = 1"
					 : "the algorithm cannot change its k");
	if (!fits(object, k))
		return refuse(object, k);
	return resize(object, k);
}

void resize_finish(struct atmost *object)
{
	struct quiet before;
	uint64_t k;

	if (!object->algorithm->resize ||
	    mem_read(&object->header->resizing) == 0)
		return;
	object_lock(object, &before);
	if (object_take(object, LOCK_RESIZE) == 0) {
		k = mem_read(&object->header->k_now);
		if (mem_read(&object->header->resizing) && fits(object, k))
			change(object, k);
		object_release(object, LOCK_RESIZE);
	}
	object_unlock(object, &before);
}
