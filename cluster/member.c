/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/member.h"

#include "cluster/serve.h"
#include "cluster/turn.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
	STACK = 512 * 1024, /* libcurl and TLS need a tenth of it */
	/* A waiter reads *interrupt this often, because another thread may set
	 * it without a signal. */
	NAP_MS = 200,
	/* For a member that does not wait for others: how long etcd may take to
	 * answer, for each host of the address. */
	TRY_MS = 2000,
	/* How long the member waits for the server after the deadline.  The
	 * server notices the deadline itself, unless libcurl blocks it. */
	GRACE_MS = 100
};

static const int64_t millisecond = 1000000;

static int64_t now_by(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 * millisecond + now.tv_nsec;
}

/* Tells the server that the turn has changed. */
static void call_server(struct remote_member *me)
{
	const uint64_t one = 1;
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	while (write(me->wake, &one, sizeof one) < 0 && errno == EINTR)
		;
	pthread_setcancelstate(cancel, &cancel);
}

/* Joining and parting. */

static void free_member(struct remote_member *me)
{
	if (me->wake >= 0)
		close(me->wake);
	if (me->lapse >= 0)
		close(me->lapse);
	free(me);
}

/* Starts the server with all signals blocked: handlers belong to the program's
 * threads. */
static bool start(struct remote_member *me)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int error;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setstacksize(&attributes, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&me->server, &attributes, serve, me);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error == 0;
}

int member_join(struct remote_pool *pool, struct remote_member **member,
		char *why)
{
	struct remote_member *me = calloc(1, sizeof *me);

	if (!me) {
		snprintf(why, REMOTE_WHY_ROOM, "out of memory");
		return ATMOST_ENOMEM;
	}
	me->pool = pool;
	me->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	me->lapse = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (me->wake < 0 || me->lapse < 0 || !start(me)) {
		snprintf(why, REMOTE_WHY_ROOM,
			 "a member of a pool of several machines needs two "
			 "descriptors and a thread: %s",
			 strerror(errno));
		free_member(me);
		return ATMOST_ESYSTEM;
	}
	*member = me;
	return 0;
}

void member_part(struct remote_member *me)
{
	int cancel;

	/* pthread_join is a cancellation point. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	turn_set(&me->turn, TURN_ENDING);
	call_server(me);
	pthread_join(me->server, NULL);
	free_member(me);
	pthread_setcancelstate(cancel, &cancel);
}

/* Entering. */

/* Sets the time until which the server may wait.  Returns the time until which
 * the member waits for the server (CLOCK_MONOTONIC). */
static int64_t set_limits(struct entry_request *request, unsigned hosts,
			  const struct timespec *deadline)
{
	const int64_t now = now_by(CLOCK_MONOTONIC);
	int64_t until = INT64_MAX;

	request->until = INT64_MAX;
	if (!deadline || deadline->tv_sec > INT64_MAX / (2000 * millisecond))
		return until;
	until = (int64_t)deadline->tv_sec * 1000 * millisecond +
		deadline->tv_nsec;
	if (until <= now) {
		request->no_wait = true;
		until = now + (int64_t)hosts * TRY_MS * millisecond;
	}
	request->until = now_by(CLOCK_BOOTTIME) + (until - now);
	return until + GRACE_MS * millisecond;
}

/* Waits while the turn is `seen`.  Returns 0, ATMOST_EINTERRUPTED, or
 * ATMOST_ETIMEDOUT when `until` has come (CLOCK_MONOTONIC). */
static int wait_while(struct remote_member *me, enum turn seen, int64_t until,
		      const volatile int *interrupt)
{
	while (turn_read(&me->turn) == seen) {
		int64_t now = now_by(CLOCK_MONOTONIC), nap = until;

		if (interrupt && __atomic_load_n(interrupt, __ATOMIC_SEQ_CST))
			return ATMOST_EINTERRUPTED;
		if (now >= until)
			return ATMOST_ETIMEDOUT;
		if (interrupt && until - now > NAP_MS * millisecond)
			nap = now + NAP_MS * millisecond;
		turn_sleep(&me->turn, seen, nap);
	}
	return 0;
}

/* Returns the slot, or the error that the server has reported. */
static int take_answer(struct remote_member *me, char *why)
{
	if (turn_read(&me->turn) == TURN_INSIDE)
		return me->slot;
	snprintf(why, REMOTE_WHY_ROOM, "%s", me->why.text);
	turn_change(&me->turn, TURN_FAILED, TURN_OUTSIDE);
	return me->error;
}

int member_enter(struct remote_member *me, uint64_t session,
		 const struct atmost_want *want, char *why)
{
	struct entry_request request = { .session = session };
	const int64_t until = set_limits(&request, me->pool->address.count,
					 want->deadline);
	int error;

	/* If the last call gave up, the server may still be undoing its
	 * passage. */
	error = wait_while(me, TURN_CANCELED, until, want->interrupt);
	if (error)
		return error;
	memcpy(request.label, me->label, sizeof me->label);
	me->request = request;
	turn_set(&me->turn, TURN_ENTERING);
	call_server(me);
	error = wait_while(me, TURN_ENTERING, until, want->interrupt);
	if (error && turn_change(&me->turn, TURN_ENTERING, TURN_CANCELED)) {
		call_server(me);
		return error;
	}
	return take_answer(me, why);
}

int member_leave(void *shared, struct process *unused)
{
	struct remote_member *me = shared;

	(void)unused;
	turn_set(&me->turn, TURN_LEAVING);
	call_server(me);
	wait_while(me, TURN_LEAVING, INT64_MAX, NULL);
	return me->evicted ? ATMOST_EEVICTED : 0;
}

int member_label(struct remote_member *me, const char *text)
{
	snprintf(me->label, sizeof me->label, "%s", text);
	return 0;
}

/* Calls for holders. */

uint64_t member_token(const struct remote_member *me)
{
	return me->token;
}

int64_t member_until(const struct remote_member *me)
{
	return __atomic_load_n(&me->until, __ATOMIC_SEQ_CST);
}

int member_lapse_fd(const struct remote_member *me)
{
	return me->lapse;
}
