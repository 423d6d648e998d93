/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/resize.h"

#include "runtime/error.h"
#include "runtime/life.h"

#include <time.h>

/*
 * A resize takes microseconds; who is stopped in one keeps others out, and so
 * does a lock that says it has an owner and has none.
 */
enum { PATIENCE = 1 /* second */ };

static int lock(struct atmost *object)
{
	struct timespec deadline;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += PATIENCE;
	switch (life_take_before(&object->header->resizing, &deadline)) {
	case LIFE_FREE:
	case LIFE_DEAD: /* the algorithm begins anew */
		return 0;
	case LIFE_BUSY:
		return error_say(ATMOST_EBUSY,
				 "somebody else has been resizing the object "
				 "for %d second", PATIENCE);
	case LIFE_DAMAGED:
		break;
	}
	return error_say(ATMOST_ECORRUPT, "the resize lock is damaged");
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
			 "k is %u, the object has room for %s to %u", k,
			 fits(object, 0) ? "0 (no limit)" : "1", shape->k_max);
}

/* The lock is ours. */
static void change(struct atmost *object, unsigned k)
{
	const struct shape *shape = &object->shape;

	object->algorithm->resize(object_words(object), shape,
				  k ? k : shape->n);
}

int atmost_resize(struct atmost *object, unsigned k)
{
	const struct algorithm *a = object->algorithm;
	int error = object_arrive(object);

	if (error)
		return error;
	if (!a->resize || object->kind == ATMOST_MUTEX)
		return error_say(ATMOST_ENOTRESIZABLE, "%s",
				 a->resize ? "a mutex has k = 1"
					   : "the algorithm cannot change its k");
	if (!fits(object, k))
		return refuse(object, k);
	error = lock(object);
	if (error)
		return error;
	mem_write(&object->header->k_now, k);
	change(object, k);
	life_release(&object->header->resizing);
	return 0;
}

void resize_finish(struct atmost *object)
{
	struct life *resizing = &object->header->resizing;
	enum life_taken taken;
	uint64_t k;

	if (!object->algorithm->resize || !life_is_orphan(resizing))
		return;
	taken = life_take(resizing);
	if (taken != LIFE_FREE && taken != LIFE_DEAD)
		return;
	k = mem_read(&object->header->k_now);
	if (taken == LIFE_DEAD && fits(object, k))
		change(object, (unsigned)k);
	life_release(resizing);
}
