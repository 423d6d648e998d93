/* SPDX-License-Identifier: BSD-2-Clause */
/* Implements atmost_unlink and atmost_unlink_unused. */
#include "runtime/death.h"
#include "runtime/error.h"
#include "runtime/open.h"
#include "runtime/remote.h"
#include "runtime/removal.h"
#include "runtime/sweep.h"

static int remove_opened(struct atmost *pool, bool unused_only)
{
	int error;

	sweep_all(pool, NULL);
	error = removal_begin(pool);
	if (error)
		return error;
	if (unused_only && !death_is_certain_of_all(pool)) {
		removal_cancel(pool);
		return error_say(ATMOST_EBUSY, "the pool %s is in use",
				 pool->segment.name);
	}
	error = segment_unlink(pool->segment.name);
	if (error)
		removal_cancel(pool);
	return error;
}

static int remove_named(const char *name, bool unused_only)
{
	struct atmost *pool;
	int error;

	if (remote_is_address(name))
		return remote_remove(name, unused_only);
	error = open_pool(&pool, name, NULL, NULL);

	if (!error) {
		error = remove_opened(pool, unused_only);
		atmost_close(pool);
	} else if (!unused_only && error != ATMOST_ENAME &&
		   error != ATMOST_ENOTFOUND) {
		/* The file is damaged or not a pool: it is removed anyway. */
		error = segment_unlink(name);
	}
	return error;
}

int atmost_unlink(const char *name)
{
	int cancel = quiet_refuse_cancel();
	int error = remove_named(name, false);

	quiet_allow_cancel(cancel);
	return error;
}

int atmost_unlink_unused(const char *name)
{
	int cancel = quiet_refuse_cancel();
	int error = remove_named(name, true);

	quiet_allow_cancel(cancel);
	return error;
}
