/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entering and leaving: the whole hot path.
 *
 * Nothing stands between a call and its algorithm but one comparison, of the
 * member's `where` with the thread's mark, and one indirect call.  What needs
 * more than that, a deadline, own words to be cleared, an error to be told, is
 * elsewhere in this file and costs the others nothing.
 */
#include "runtime/enter.h"

#include "runtime/error.h"

#include <string.h>
#include <unistd.h>

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static struct atmost_member *member_of(struct process *self)
{
	return (struct atmost_member *)(void *)((char *)self -
		offsetof(struct atmost_member, process));
}

/* Between passages: own words that are not persistent are zero, and whoever
 * asks for no session gets the first. */
static void forget(struct atmost_member *me)
{
	const struct algorithm *a = me->object->algorithm;
	const struct shape *shape = me->process.shape;
	unsigned kept = a->own_persistent ? a->own_persistent(shape) : 0;
	unsigned count = a->own_words ? a->own_words(shape) : 0;

	if (count > kept)
		memset(me->process.own + kept, 0,
		       (count - kept) * sizeof *me->process.own);
	me->process.session = 1;
}

static void leave_and_forget(void *shared, struct process *self)
{
	struct atmost_member *me = member_of(self);

	me->object->algorithm->leave(shared, self);
	forget(me);
}

/* The rest of the way in; its slot. */
static int settled(struct atmost_member *me)
{
	const struct algorithm *a = me->object->algorithm;

	if (a->settle)
		a->settle(me->shared, &me->process);
	return me->process.slot;
}

/*
 * Enter by doorway and poll.  Each time poll says no, the deadline is looked
 * at before the next sleep, which ends with it: so a passed deadline is found
 * out at once, but never before a last look.
 */
static int enter_before(struct atmost_member *me,
			const struct timespec *deadline)
{
	const struct algorithm *a = me->object->algorithm;
	struct wait_set wait;

	me->process.slot = 0;
	if (a->doorway(me->shared, &me->process))
		return settled(me);
	wait_begin(&wait);
	while (!a->poll(me->shared, &me->process, &wait)) {
		if (deadline && wait_is_over(deadline)) {
			a->abort(me->shared, &me->process);
			forget(me);
			return ATMOST_ETIMEDOUT;
		}
		wait_again(&wait, deadline);
	}
	return settled(me);
}

static int enter_by_poll(void *shared, struct process *self)
{
	(void)shared;
	return enter_before(member_of(self), NULL);
}

void enter_choose(struct atmost_member *me)
{
	const struct algorithm *a = me->object->algorithm;

	me->enter = a->enter ? a->enter : enter_by_poll;
	me->leave = a->leave;
	if (a->own_words || a->kind == KIND_GROUP_EXCLUSION)
		me->leave = leave_and_forget;
}

/* Why this thread may not do what it asks for. */
__attribute__((cold, noinline))
static int refuse(const struct atmost_member *me, int otherwise)
{
	if (me->pid != getpid())
		return error_is(ATMOST_EFORKED);
	if ((me->where & ~UINT64_C(1)) != member_mark)
		return error_is(ATMOST_ETHREAD);
	return error_is(otherwise);
}

static int check_want(const struct atmost_member *me,
		      const struct atmost_want *want)
{
	const struct algorithm *a = me->object->algorithm;
	const struct timespec *deadline = want->deadline;
	const unsigned sessions = me->process.shape->sessions;

	if (want->flags & ~(unsigned)ATMOST_TRY)
		return error_say(ATMOST_ESHAPE, "want.flags is %#x: unknown",
				 want->flags);
	if (deadline && (deadline->tv_nsec < 0 ||
			 deadline->tv_nsec >= 1000000000))
		return error_say(ATMOST_ESHAPE, "want.deadline: tv_nsec is %ld",
				 deadline->tv_nsec);
	if (a->kind == KIND_GROUP_EXCLUSION &&
	    (want->session == 0 || (sessions && want->session > sessions)))
		return error_say(ATMOST_ESESSION,
				 sessions ? "want.session is %ju, the object's "
					    "are 1 to %u"
					  : "want.session is %ju",
				 (uintmax_t)want->session, sessions);
	if ((deadline || want->flags & ATMOST_TRY) && !a->abort)
		return error_say(ATMOST_ENOTABORTABLE,
				 "%s cannot give up waiting", a->name);
	return 0;
}

__attribute__((noinline))
static int enter_wanting(struct atmost_member *me,
			 const struct atmost_want *want)
{
	static const struct timespec long_ago = { 0, 0 };
	int result = check_want(me, want);

	if (result < 0)
		return result;
	if (me->object->algorithm->kind == KIND_GROUP_EXCLUSION)
		me->process.session = want->session;
	me->where = member_mark + 1;
	if (want->flags & ATMOST_TRY)
		result = enter_before(me, &long_ago);
	else if (want->deadline)
		result = enter_before(me, want->deadline);
	else
		result = me->enter(me->shared, &me->process);
	if (result >= 0)
		return result;
	me->where = member_mark;
	return error_is(want->flags & ATMOST_TRY ? ATMOST_EBUSY : result);
}

/*
 * What to call is read before `where` is written: the other way round a
 * passage takes 9 to 20 ns instead of 5.5 on AMD Zen 3, which seems to take
 * the read for one of what was just written.
 */
#define READ_NOW(pointer) __asm__ volatile("" : "+r"(pointer))

int atmost_enter(struct atmost_member *me, const struct atmost_want *want)
{
	int (*enter)(void *, struct process *) = me->enter;
	void *shared = me->shared;
	const uint64_t mark = member_mark;

	if (UNLIKELY(me->where != mark))
		return refuse(me, ATMOST_EINSIDE);
	if (UNLIKELY(want != NULL))
		return enter_wanting(me, want);
	READ_NOW(enter);
	READ_NOW(shared);
	me->where = mark + 1;
	return enter(shared, &me->process);
}

int atmost_leave(struct atmost_member *me)
{
	void (*leave)(void *, struct process *) = me->leave;
	void *shared = me->shared;
	const uint64_t mark = member_mark;

	if (UNLIKELY(me->where != mark + 1))
		return refuse(me, ATMOST_EOUTSIDE);
	READ_NOW(leave);
	READ_NOW(shared);
	me->where = mark;
	leave(shared, &me->process);
	return 0;
}
