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
	if (k == 0 || k > object->shape.k_max)
		return error_say(ATMOST_ESHAPE,
				 "k is %u, the object has room for 1 to %u", k,
				 object->shape.k_max);
	error = lock(object);
	if (error)
		return error;
	mem_write(&object->header->k_now, k);
	a->resize(object_words(object), &object->shape, k);
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
	if (taken == LIFE_DEAD && k > 0 && k <= object->shape.k_max)
		object->algorithm->resize(object_words(object), &object->shape,
					  (unsigned)k);
	life_release(resizing);
}
