/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/remote_member.h"

#include "runtime/error.h"

#include <unistd.h>

/* A member of such a pool always takes the slow path. */
static bool stay_outside(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

int remote_join(struct enrolled *e, struct atmost *pool)
{
	struct atmost_member *me = e->member;
	char why[REMOTE_WHY_ROOM];
	int error = pool->calls->join(pool->remote, &e->remote, why);

	if (error)
		return error_say(error, "%s", why);
	e->pool = pool;
	e->generation = pool->generation;
	e->mark = member_mark;
	e->pid = getpid();
	me->pool = pool;
	me->book = e;
	me->remote = e->remote;
	me->shared = e->remote;
	me->doorway = stay_outside;
	me->leave = pool->calls->leave;
	me->process.shape = &pool->shape;
	me->process.session = 1;
	me->where = member_mark;
	return 0;
}

void remote_part(struct enrolled *e)
{
	e->pool->calls->part(e->remote);
	e->remote = NULL;
}

int remote_enter(struct atmost_member *me, const struct atmost_want *want)
{
	const uint64_t session = me->process.session;
	char why[REMOTE_WHY_ROOM] = "";
	int result;

	me->process.session = 1; /* the default of the next passage */
	result = me->pool->calls->enter(me->remote, session, want, why);
	return result < 0 && why[0] ? error_say(result, "%s", why) : result;
}

int remote_fail(const struct atmost *pool, int error)
{
	const bool explained = pool->calls && error != ATMOST_EBUSY &&
			       error != ATMOST_ETIMEDOUT &&
			       error != ATMOST_EINTERRUPTED;

	return explained ? error : error_is(error);
}

int remote_label(struct atmost_member *me, const char *text)
{
	int error = me->pool->calls->label(me->remote, text ? text : "");

	return error ? error_is(error) : 0;
}

/* What a member holds. */

static int check_inside(const struct atmost_member *me)
{
	if (!me->book)
		return error_is(ATMOST_EFORKED);
	if ((me->where & ~UINT64_C(1)) != member_mark)
		return error_is(ATMOST_ETHREAD);
	return me->where == member_mark ? error_is(ATMOST_EOUTSIDE) : 0;
}

int atmost_token(struct atmost_member *me, uint64_t *token)
{
	int error = check_inside(me);

	if (error)
		return error;
	*token = me->remote ? me->pool->calls->token(me->remote) : 0;
	return 0;
}

int atmost_until(struct atmost_member *me, struct timespec *until)
{
	enum { SECOND = 1000000000 };
	int64_t ns = INT64_MAX;
	int error = check_inside(me);

	if (error)
		return error;
	if (me->remote)
		ns = me->pool->calls->until(me->remote);
	until->tv_sec = (time_t)(ns / SECOND);
	until->tv_nsec = (long)(ns % SECOND);
	return 0;
}

int atmost_lapse_fd(struct atmost_member *me)
{
	if (!me->book)
		return error_is(ATMOST_EFORKED);
	if ((me->where & ~UINT64_C(1)) != member_mark)
		return error_is(ATMOST_ETHREAD);
	if (!me->remote)
		return error_say(ATMOST_EUNSUPPORTED,
				 "a member of a pool of this machine has no "
				 "lease that could lapse");
	return me->pool->calls->lapse_fd(me->remote);
}
