/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Implements atmost_close.  The pool may have members of this thread, of other
 * threads, and of the parent of this process.
 */
#include "runtime/member.h"
#include "runtime/part.h"

#include <sched.h>

/* Ends a member of another thread.  That thread releases the member's life lock
 * when it next joins a pool, or when it ends. */
static void close_other(struct enrolled *e)
{
	struct quiet before;

	part_vacate(e);
	pool_lock_lists(&before);
	member_leave_to_thread(e);
	pool_unlock_lists(&before);
}

/* Returns the next member of the pool that no other thread is ending, and marks
 * that member as busy.  Sets *more to true if the caller must call again. */
static struct enrolled *claim(struct atmost *pool, bool *more)
{
	struct enrolled *e;
	struct quiet before;

	*more = false;
	pool_lock_lists(&before);
	for (e = pool->members; e && (e->busy || e->stuck); e = e->next)
		*more |= e->busy;
	if (e)
		*more = e->busy = true;
	pool_unlock_lists(&before);
	return e;
}

static void close_members(struct atmost *pool)
{
	struct enrolled *e;
	bool more;

	while ((e = claim(pool, &more)) != NULL || more) {
		if (!e)
			sched_yield();
		else if (member_is_forked(e) || e->mark == member_mark)
			atmost_part(e->member);
		else
			close_other(e);
	}
}

void atmost_close(struct atmost *pool)
{
	int cancel = quiet_refuse_cancel();
	struct quiet before;

	if (pool) {
		pool->references++;
		close_members(pool);
		pool_lock_lists(&before);
		pool_unreference(pool);
		pool_unlock_lists(&before);
	}
	quiet_allow_cancel(cancel);
}
