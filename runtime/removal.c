/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/removal.h"

#include "runtime/death.h"
#include "runtime/error.h"

int removal_begin(struct atmost *object)
{
	int error = object_take_soon(object, LOCK_REMOVE);

	if (error == ATMOST_EBUSY)
		return error_say(error,
				 "another process has been removing %s "
				 "for a second",
				 object->segment.name);
	if (error)
		return error;
	if (!segment_is_named(&object->segment)) {
		object_release(object, LOCK_REMOVE);
		return error_say(ATMOST_ENOTFOUND,
				 "the pool %s has been removed",
				 object->segment.name);
	}
	mem_write(&object->header->removed, REMOVED);
	return 0;
}

void removal_cancel(struct atmost *object)
{
	mem_write(&object->header->removed, 0);
	object_release(object, LOCK_REMOVE);
}

int removal_resume(struct atmost *object)
{
	int error = removal_begin(object);

	if (error)
		return error == ATMOST_ENOTFOUND ? 0 : error;
	if (!death_is_everybodys(object)) {
		removal_cancel(object);
		return 0;
	}
	error = segment_unlink(object->segment.name);
	object_release(object, LOCK_REMOVE);
	return error;
}
