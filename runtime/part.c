/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/part.h"

#include "runtime/error.h"
#include "runtime/record.h"
#include "runtime/recovery.h"
#include "runtime/remote_member.h"

#include <sched.h>

void part_vacate(struct enrolled *e)
{
	struct recovery_exclusion exclusion;

	if (!recovery_exclude(e->pool, e->id, e->badge, &exclusion))
		return; /* a recoverer has vacated the id */
	record_vacate(e->record);
	recovery_allow(e->pool, e->id, &exclusion);
}

/* Ends a member of this thread.  `kept`: the member's record stays, because the
 * member is entrusted to a process.  Otherwise the member must be outside. */
static void part(struct enrolled *e, bool kept)
{
	struct quiet before;
	bool ended;

	if (e->remote) {
		remote_part(e);
		ended = true;
	} else {
		if (!kept)
			part_vacate(e);
		pool_lock(e->pool, &before);
		ended = member_end_life(e);
		pool_unlock(e->pool, &before);
	}
	pool_lock_lists(&before);
	e->stuck = !ended;
	e->pool->stuck |= e->stuck;
	member_strike(e);
	pool_unlock_lists(&before);
}

static void strike_forked(struct enrolled *e)
{
	struct quiet before;

	pool_lock_lists(&before);
	member_strike(e);
	pool_unlock_lists(&before);
}

void atmost_part(struct atmost_member *me)
{
	struct enrolled *e = me ? member_book(me) : NULL;
	int cancel = quiet_refuse_cancel();

	if (e && member_is_forked(e)) {
		strike_forked(e);
	} else if (e && e->mark != member_mark) {
		error_is(ATMOST_ETHREAD);
	} else if (e) {
		if (me->where == member_mark + 1 && !e->remote)
			atmost_leave(me);
		part(e, false);
	}
	quiet_allow_cancel(cancel);
}

/* The end of a thread. */

/*
 * The member of an ending thread may be inside, waiting, or anywhere in a call
 * that a signal handler has left by pthread_exit.  So this function undoes
 * everything that the member began, as if the member were dead.  If the
 * algorithm cannot recover and the member is inside, the member leaves.  A
 * member of a shared object that is outside has nothing to undo, and its last
 * operation must not get an outcome.
 */
static void end(struct enrolled *e)
{
	struct atmost_member *me = e->member;
	const bool inside = me->where == member_mark + 1;

	if (e->remote) {
		part(e, false);
		return;
	}
	watch_after_sleep(&me->watch);
	if (mem_read(&e->record->state) & STATE_ENTRUSTED) {
		part(e, true);
		return;
	}
	if ((e->pool->kind != ATMOST_OBJECT || inside) &&
	    !recovery_of_own(e->pool, e->id) && inside)
		atmost_leave(me);
	part(e, false);
}

/* Returns the next member of this thread that no other thread is ending, and
 * marks that member as busy. */
static struct enrolled *claim(void)
{
	struct enrolled *e;
	struct quiet before;

	pool_lock_lists(&before);
	member_release_closed();
	for (e = member_of_thread(); e && e->busy; e = e->next_of_thread)
		;
	if (e)
		e->busy = true;
	pool_unlock_lists(&before);
	return e;
}

static void end_thread(void *unused)
{
	struct enrolled *e;

	(void)unused;
	while (member_of_thread()) {
		e = claim();
		if (e)
			end(e);
		else
			sched_yield(); /* another thread is closing the pool */
	}
}

static pthread_key_t at_thread_end;
static int key_error;

static void make_key(void)
{
	key_error = pthread_key_create(&at_thread_end, end_thread);
}

int part_at_thread_end(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
	/* If the value is not NULL, the C library calls end_thread when the
	 * thread ends. */
	if (key_error || pthread_setspecific(at_thread_end, &once))
		return error_is(ATMOST_ENOMEM);
	return 0;
}
