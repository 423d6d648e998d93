/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/removal.h"

#include "runtime/death.h"
#include "runtime/error.h"

int removal_begin(struct atmost *pool)
{
	int error = pool_take_soon(pool, LOCK_REMOVE);

	if (error == ATMOST_EBUSY)
		return error_say(error,
				 "another process has been removing %s "
				 "for a second",
				 pool->segment.name);
	if (error)
		return error;
	if (!segment_is_named(&pool->segment)) {
		pool_release(pool, LOCK_REMOVE);
		return error_say(ATMOST_ENOTFOUND,
				 "the pool %s has been removed",
				 pool->segment.name);
	}
	mem_write(&pool->header->removed, REMOVED);
	return 0;
}

void removal_cancel(struct atmost *pool)
{
	mem_write(&pool->header->removed, 0);
	pool_release(pool, LOCK_REMOVE);
}

int removal_resume(struct atmost *pool)
{
	int error = removal_begin(pool);

	if (error)
		return error == ATMOST_ENOTFOUND ? 0 : error;
	if (!death_is_certain_of_all(pool)) {
		removal_cancel(pool);
		return 0;
	}
	error = segment_unlink(pool->segment.name);
	pool_release(pool, LOCK_REMOVE);
	return error;
}
