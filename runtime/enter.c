/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Enters and leaves: this is the whole hot path.
 *
 * A call compares the member's `where` with the thread's mark (see member.h),
 * and calls the algorithm through a pointer.  One plain write shows the passage
 * to other processes.  Everything else (deadlines, own words to be cleared,
 * errors, deaths) is in separate functions, and costs the hot path nothing.
 */
#include "runtime/enter.h"

#include "runtime/error.h"
#include "runtime/quiet.h"
#include "runtime/record.h"
#include "runtime/recovery.h"
#include "runtime/remote_member.h"
#include "runtime/watch.h"

#include <sys/single_threaded.h>

_Static_assert((int)EVICTED == (int)ATMOST_EEVICTED,
	       "enter returns EVICTED unchanged");

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static struct atmost_member *member_of(struct process *self)
{
	return (struct atmost_member *)(void *)((char *)self -
						offsetof(struct atmost_member,
							 process));
}

void enter_forget(struct atmost_member *me)
{
	pool_forget_own(me->pool, me->process.id);
	me->process.session = 1;
}

/* The record shows the member inside until the member has left completely. */
static int walk_out(void *shared, struct process *self)
{
	struct atmost_member *me = member_of(self);
	struct recovery_exclusion exclusion;

	if (!recovery_exclude(me->pool, self->id, self->badge, &exclusion))
		return EVICTED;
	me->pool->algorithm->leave(shared, self);
	enter_forget(me);
	record_show(me->record, TURN_OUTSIDE);
	recovery_allow(me->pool, self->id, &exclusion);
	return self->evicted ? EVICTED : 0;
}

/*
 * enter_choose chooses walk_in and walk_out for algorithms that need the
 * record: for example, algorithms that cannot recover, or do not tell which
 * members are inside.  With such an algorithm the record must show the member
 * as waiting even before the member's first step, because only the record tells
 * that the member died on its way in.  With other algorithms the record need
 * not be right: leaving does not change it, so after a member's first passage
 * it shows the member inside even while the member is outside.
 */
static bool walk_in(void *shared, struct process *self)
{
	struct atmost_member *me = member_of(self);
	const struct algorithm *a = me->pool->algorithm;

	record_show_next(me->record, TURN_WAITING);
	/* release: M2 of record.h */
	mem_write_release(&me->record->session, self->session);
	if (a->enter)
		self->slot = a->enter(shared, self);
	else if (!a->doorway(shared, self))
		return false;
	if (a->settle)
		a->settle(shared, self);
	mem_write_release(&me->record->slot, (uint64_t)self->slot);
	return true;
}

void enter_choose(struct atmost_member *me)
{
	const struct algorithm *a = me->pool->algorithm;
	bool straight = a->recover && a->holder && a->depart && !a->settle &&
			a->kind != KIND_GROUP_EXCLUSION;

	me->doorway = straight ? a->doorway : walk_in;
	me->leave = straight ? a->depart : walk_out;
}

/* Waiting. */

static int give_up(struct atmost_member *me, int why)
{
	me->pool->algorithm->abort(me->shared, &me->process);
	enter_forget(me);
	record_show(me->record, TURN_OUTSIDE);
	record_wake(me->record);
	return me->process.evicted ? ATMOST_EEVICTED : why;
}

/* Returns the reason why the wait ends now, or 0 if the wait goes on. */
static int is_over(const struct atmost_want *want)
{
	if (want->interrupt && *want->interrupt)
		return ATMOST_EINTERRUPTED;
	return want->deadline && wait_is_over(want->deadline) ? ATMOST_ETIMEDOUT
							      : 0;
}

/* Another thread may set *interrupt without sending a signal, so the waiter
 * must look at *interrupt often.  In a process with one thread, a signal
 * handler sets *interrupt, and the signal ends the sleep. */
static bool may_nap_long(const struct atmost_want *want)
{
	return !want->interrupt || __libc_single_threaded;
}

/*
 * Waits until the algorithm lets in a member that the doorway did not let in.
 * The member makes passes (calls of `poll`), and sleeps between two passes.
 * After each pass that fails, the member checks the deadline; its next sleep
 * ends at the deadline at the latest.  So the member notices at once that the
 * deadline has passed, but it gives up only after one more pass.
 */
static int poll_and_sleep(struct atmost_member *me,
			  const struct atmost_want *want)
{
	const struct algorithm *a = me->pool->algorithm;
	struct watch *watch = &me->watch;
	struct wait_set wait;
	bool first = true;
	int why;

	if (me->process.evicted)
		return ATMOST_EEVICTED;
	record_show_next(me->record, TURN_WAITING);
	record_show_now(me->record, TURN_WAITING);
	watch_begin(watch, want->interrupt, may_nap_long(want));
	wait_begin(&wait);
	while (!a->poll(me->shared, &me->process, &wait)) {
		bool again = watch_before_sleep(watch, me->pool, me->process.id,
						&wait, first);

		/* If a dead member was recovered, the member that then got its
		 * slot may be dead, too: the next call looks again. */
		first = first && again;
		if (again)
			continue;
		why = is_over(want);
		if (why) {
			watch_after_sleep(watch);
			return give_up(me, why);
		}
		wait_watching(&wait, want->deadline, &watch->next.sleep);
		watch_after_sleep(watch);
	}
	if (a->settle)
		a->settle(me->shared, &me->process);
	mem_write_release(&me->record->slot, (uint64_t)me->process.slot);
	record_show_now(me->record, TURN_INSIDE);
	record_wake(me->record);
	return me->process.evicted ? ATMOST_EEVICTED : me->process.slot;
}

/* Disables cancellation, because a search for dead members uses functions that
 * may be cancellation points. */
__attribute__((noinline)) static int wait_for_turn(
	struct atmost_member *me, const struct atmost_want *want)
{
	int cancel = quiet_refuse_cancel();
	int result = me->remote ? remote_enter(me, want)
				: poll_and_sleep(me, want);

	quiet_allow_cancel(cancel);
	return result;
}

/* Errors. */

/* Returns the reason why this thread is not allowed to make the call. */
__attribute__((cold, noinline)) static int refuse(
	const struct atmost_member *me, int otherwise)
{
	if (!me->book)
		return error_is(ATMOST_EFORKED);
	if ((me->where & ~UINT64_C(1)) != member_mark)
		return error_is(ATMOST_ETHREAD);
	return error_is(otherwise);
}

int enter_check(const struct atmost_member *me)
{
	return me->where == member_mark ? 0 : refuse(me, ATMOST_EINSIDE);
}

static int check_want(const struct atmost_member *me,
		      const struct atmost_want *want)
{
	const struct algorithm *a = me->pool->algorithm;
	const struct timespec *deadline = want->deadline;
	const unsigned sessions = me->process.shape->sessions;

	if (want->flags & ~(unsigned)ATMOST_TRY)
		return error_say(ATMOST_EWANT,
				 "want.flags is %#x, which has unknown flags",
				 want->flags);
	if (deadline &&
	    (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000))
		return error_say(ATMOST_EWANT,
				 "want.deadline: tv_nsec is %ld; it must be "
				 "between 0 and 999999999",
				 deadline->tv_nsec);
	if (a->kind == KIND_GROUP_EXCLUSION &&
	    (want->session == 0 || (sessions && want->session > sessions)))
		return error_say(
			ATMOST_ESESSION,
			sessions ? "want.session is %ju; the pool's "
				   "sessions are 1 to %u"
				 : "want.session is %ju; it must not be 0",
			(uintmax_t)want->session, sessions);
	if ((deadline || want->interrupt || want->flags & ATMOST_TRY) &&
	    !a->abort)
		return error_say(ATMOST_ENOTABORTABLE,
				 "with %s a waiter cannot give up", a->name);
	return 0;
}

/* The calls. */

static int enter_as(struct atmost_member *me, const struct atmost_want *want)
{
	if (!me->doorway(me->shared, &me->process))
		return wait_for_turn(me, want);
	record_show_next(me->record, TURN_INSIDE);
	record_show_now(me->record, TURN_INSIDE);
	return me->process.slot;
}

__attribute__((noinline)) static int enter_wanting(
	struct atmost_member *me, const struct atmost_want *want)
{
	static const struct timespec long_ago = { 0, 0 };
	static const struct atmost_want now = { .deadline = &long_ago };
	int result = check_want(me, want);

	if (result < 0)
		return result;
	if (me->pool->algorithm->kind == KIND_GROUP_EXCLUSION)
		me->process.session = want->session;
	me->where = member_mark + 1;
	result = enter_as(me, want->flags & ATMOST_TRY ? &now : want);
	if (result >= 0)
		return result;
	me->where = member_mark;
	if (result == ATMOST_ETIMEDOUT && want->flags & ATMOST_TRY)
		result = ATMOST_EBUSY;
	return remote_fail(me->pool, result);
}

__attribute__((noinline)) static int enter_slowly(struct atmost_member *me)
{
	static const struct atmost_want nothing;
	int result = wait_for_turn(me, &nothing);

	if (result >= 0)
		return result;
	me->where = member_mark;
	return remote_fail(me->pool, result);
}

/*
 * Makes the compiler read the pointer before it writes `where`.  In the
 * opposite order a passage takes 9 to 20 ns instead of 5.5 on AMD Zen 3: the
 * cpu seems to predict that the read depends on the write.
 */
#define READ_NOW(pointer) __asm__ volatile("" : "+r"(pointer))

int atmost_enter(struct atmost_member *me, const struct atmost_want *want)
{
	bool (*doorway)(void *, struct process *) = me->doorway;
	void *shared = me->shared;
	const uint64_t mark = member_mark;

	if (UNLIKELY(me->where != mark))
		return refuse(me, ATMOST_EINSIDE);
	if (UNLIKELY(want != NULL))
		return enter_wanting(me, want);
	READ_NOW(doorway);
	READ_NOW(shared);
	me->where = mark + 1;
	if (UNLIKELY(!doorway(shared, &me->process)))
		return enter_slowly(me);
	record_show_next(me->record, TURN_INSIDE);
	return me->process.slot;
}

int atmost_leave(struct atmost_member *me)
{
	int (*leave)(void *, struct process *) = me->leave;
	void *shared = me->shared;
	const uint64_t mark = member_mark;

	if (UNLIKELY(me->where != mark + 1))
		return refuse(me, ATMOST_EOUTSIDE);
	READ_NOW(leave);
	READ_NOW(shared);
	me->where = mark;
	/* This must be a tail call: an ordinary call would cost a fifth of the
	 * time of a passage. */
	return leave(shared, &me->process);
}
