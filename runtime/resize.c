/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/object.h"

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
