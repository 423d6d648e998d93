/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/serve.h"

#include "cluster/ask.h"
#include "cluster/member_text.h"
#include "cluster/pool.h"
#include "cluster/remote_member.h"
#include "cluster/turn.h"
#include "memory/etcd/hold.h"
#include "memory/etcd/passage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern const struct algorithm ledger, ledger_room;

enum { OWN_ROOM = 16 };

static const int64_t second = 1000000000;

struct server {
	struct remote_member *me;
	const struct remote_pool *pool;
	const struct algorithm *algorithm;
	struct etcd *etcd;
	struct curl_waitfd wake;
	uint64_t own[OWN_ROOM];
	bool inside, lost;
};

/* Requests of the member. */

static enum turn turn_of(const struct server *s)
{
	return turn_read(&s->me->turn);
}

/* Empties the eventfd of the member's calls.  The server reads the turn
 * afterwards. */
static void hear(struct server *s)
{
	uint64_t calls;

	s->wake.revents = 0;
	while (read(s->me->wake, &calls, sizeof calls) < 0 && errno == EINTR)
		;
}

/* A step that waits for etcd stops when the member no longer wants to enter. */
static bool has_given_up(void *context)
{
	struct server *s = context;

	hear(s);
	return turn_of(s) != TURN_ENTERING;
}

/* The time until which the member certainly has its slot. */

/* Makes `lapse` readable from this moment on; INT64_MAX: never. */
static void set_lapse(const struct server *s, int64_t moment)
{
	struct itimerspec when = { 0 };

	if (moment != INT64_MAX) {
		/* A time of zero would disarm the timer. */
		if (moment < 1)
			moment = 1;
		when.it_value.tv_sec = (time_t)(moment / second);
		when.it_value.tv_nsec = (long)(moment % second);
	}
	timerfd_settime(s->me->lapse, TFD_TIMER_ABSTIME, &when, NULL);
}

static void set_until(struct server *s, int64_t until)
{
	const int64_t third = s->etcd->lease->seconds * second / 3;

	if (until == __atomic_load_n(&s->me->until, __ATOMIC_SEQ_CST))
		return;
	__atomic_store_n(&s->me->until, until, __ATOMIC_SEQ_CST);
	set_lapse(s, until ? until - third : 0);
}

/* Entering. */

/* Writes the line that describes the member to other members, with the time of
 * arrival. */
static bool describe(struct server *s)
{
	struct member_text text;
	struct text line = { 0 };

	member_text_self(&text, program_invocation_short_name,
			 s->me->request.label);
	member_text_write(&line, &text);
	if (line.failed) {
		text_free(&line);
		return false;
	}
	free(s->etcd->member);
	s->etcd->member = line.bytes;
	return true;
}

static void fail(struct server *s, int error, const struct complaint *why)
{
	struct remote_member *me = s->me;

	me->error = error;
	me->why.text[0] = '\0';
	if (why)
		me->why = *why;
	turn_change(&me->turn, TURN_ENTERING, TURN_FAILED);
}

/* The passage has stopped: finds out why. */
static void explain(struct server *s)
{
	const struct entry_request *request = &s->me->request;
	struct etcd *etcd = s->etcd;
	struct etcd_trouble trouble = etcd->trouble;
	const bool late = wire_now() >= request->until;
	struct connection connection;
	int error;

	connection_borrow(&connection, &s->pool->address, etcd->wire);
	connection.until = wire_now() + 2 * second;
	if (trouble.kind != WIRE_PENDING || (late && request->no_wait) ||
	    (late && wire_problem(etcd->wire)[0]))
		error = ask_explain(&connection, trouble.kind, trouble.code,
				    trouble.message);
	else if (late)
		error = ATMOST_ETIMEDOUT;
	else
		error = complain(&connection.why, ATMOST_ENOTFOUND,
				 "the pool %s at %s has been removed: open it "
				 "again",
				 s->pool->address.pool, s->pool->address.text);
	fail(s, error, error == ATMOST_ETIMEDOUT ? NULL : &connection.why);
	connection_close(&connection);
}

/* Ends what is left of the passage.  If etcd does not answer soon, the lease
 * ends by itself. */
static void give_up(struct server *s)
{
	etcd_limit(s->etcd, wire_now() + 2 * second);
	etcd_abort(s->etcd, s->algorithm);
}

/* Returns whether the slot names are still those that the program saw when it
 * opened the pool.  From now on they cannot change, because this member holds a
 * slot. */
static bool names_hold(struct server *s)
{
	const struct cluster_look opened = {
		.names_modified = s->pool->names_modified
	};
	struct connection connection;
	int error;

	if (!s->pool->names)
		return true;
	connection_borrow(&connection, &s->pool->address, s->etcd->wire);
	connection.until = s->etcd->lease->valid_until;
	error = cluster_names_hold(&connection, s->pool->address.pool, &opened);
	if (error == ATMOST_ENOTFOUND)
		error = complain(&connection.why, ATMOST_ESHAPE,
				 "the pool %s at %s got other slot names: open "
				 "it again",
				 s->pool->address.pool, s->pool->address.text);
	if (error)
		fail(s, error, &connection.why);
	connection_close(&connection);
	return !error;
}

/* Tells the member that it is inside, unless the member has given up
 * meanwhile. */
static void let_in(struct server *s)
{
	struct remote_member *me = s->me;
	struct etcd *etcd = s->etcd;

	if (!names_hold(s)) {
		give_up(s);
		return;
	}
	me->slot = etcd->process.slot;
	me->token = etcd->process.token;
	me->evicted = false;
	s->inside = true;
	s->lost = false;
	set_until(s, etcd->lease->valid_until);
	etcd_hold(etcd, (unsigned)me->slot, me->token);
	turn_change(&me->turn, TURN_ENTERING, TURN_INSIDE);
}

/* Waits for a slot.  ETCD_WAITS: the member must not wait any longer. */
static enum etcd_outcome wait_for_slot(struct server *s)
{
	const struct entry_request *request = &s->me->request;
	enum etcd_outcome outcome = ETCD_WAITS;

	while (outcome == ETCD_WAITS &&
	       etcd_wait(s->etcd, request->until, &s->wake, 1)) {
		if (s->wake.revents && has_given_up(s))
			break;
		outcome = etcd_poll(s->etcd, s->algorithm);
	}
	return outcome;
}

static void enter(struct server *s)
{
	const struct entry_request *request = &s->me->request;
	struct etcd *etcd = s->etcd;
	enum etcd_outcome outcome;

	if (!describe(s)) {
		fail(s, ATMOST_ENOMEM, NULL);
		return;
	}
	etcd->process.session = s->pool->groups ? request->session : 0;
	etcd->settings.impatient = request->no_wait;
	etcd_limit(etcd, request->until);
	etcd->attention = (struct etcd_attention){ .attend = has_given_up,
						   .context = s,
						   .fds = &s->wake,
						   .count = 1,
						   .at = INT64_MAX };
	outcome = etcd_doorway(etcd, s->algorithm);
	if (outcome == ETCD_WAITS)
		outcome = wait_for_slot(s);
	etcd->attention.attend = NULL;
	if (outcome == ETCD_INSIDE) {
		let_in(s);
	} else if (outcome == ETCD_WAITS) {
		/* The member learns of the timeout before etcd has answered
		 * give_up. */
		fail(s, ATMOST_ETIMEDOUT, NULL);
		give_up(s);
	} else if (outcome == ETCD_BUSY) {
		fail(s, ATMOST_ETIMEDOUT, NULL);
	} else if (turn_of(s) == TURN_ENTERING) {
		explain(s);
	}
}

/* Leaving. */

/* Returns whether etcd had ended the lease before the server revoked it. */
static bool was_ended(const struct lease *lease)
{
	return lease->revoke.result == WIRE_REFUSED &&
	       lease->revoke.code == GRPC_NOT_FOUND &&
	       lease->revoke.attempts == 1;
}

/* Gives back the slot by ending the lease.  If etcd does not answer before the
 * lease ends by itself, the server waits no longer. */
static void leave(struct server *s)
{
	struct etcd *etcd = s->etcd;
	bool evicted = s->lost || !lease_is_valid(etcd->lease);

	etcd_limit(etcd, INT64_MAX);
	if (!s->lost) {
		etcd_leave(etcd, s->algorithm);
		evicted |= was_ended(etcd->lease);
	}
	set_lapse(s, INT64_MAX);
	__atomic_store_n(&s->me->until, 0, __ATOMIC_SEQ_CST);
	s->inside = s->lost = false;
	s->me->evicted = evicted;
}

/* Between requests. */

/* The slot is lost, or may be lost.  The server stops using the passage. */
static void lose(struct server *s)
{
	s->lost = true;
	set_until(s, 0);
	watch_stop(&s->etcd->watch);
	lease_abandon(s->etcd->wire, s->etcd->lease);
}

/* For a holder: keeps the lease alive, and sees whether the slot is still
 * there. */
static void hold(struct server *s)
{
	struct etcd *etcd = s->etcd;

	etcd_pump(etcd, etcd->lease->valid_until, &s->wake, 1);
	if (!etcd_has_slot(etcd) || wire_now() >= etcd->lease->valid_until)
		lose(s);
	else
		set_until(s, etcd->lease->valid_until);
}

/* For a member that is not a holder: does not keep alive the lease that was
 * granted for its next passage, because that passage may never come. */
static void rest(struct server *s)
{
	struct etcd *etcd = s->etcd;
	const int64_t until = etcd->next->id
				      ? lease_keep_at(etcd->next) - second / 100
				      : INT64_MAX;

	if (wire_now() >= until)
		lease_abandon(etcd->wire, etcd->next);
	else
		etcd_pump(etcd, until, &s->wake, 1);
}

/* Does what the turn asks for.  Returns false if the member parts. */
static bool answer(struct server *s)
{
	switch (turn_of(s)) {
	case TURN_ENTERING:
		enter(s);
		break;
	case TURN_CANCELED:
		if (s->inside)
			leave(s);
		else
			give_up(s);
		turn_change(&s->me->turn, TURN_CANCELED, TURN_OUTSIDE);
		break;
	case TURN_LEAVING:
		leave(s);
		turn_change(&s->me->turn, TURN_LEAVING, TURN_OUTSIDE);
		break;
	case TURN_ENDING:
		if (s->inside)
			leave(s);
		return false;
	default:
		break;
	}
	return true;
}

static bool is_asked(const struct server *s)
{
	const enum turn turn = turn_of(s);

	return turn == TURN_ENTERING || turn == TURN_CANCELED ||
	       turn == TURN_LEAVING || turn == TURN_ENDING;
}

/* The member changes the turn, and then writes to the eventfd.  The server
 * empties the eventfd, and then reads the turn.  So the server sees a change
 * before it waits, or the eventfd ends its wait. */
static void serve_all(struct server *s)
{
	for (;;) {
		hear(s);
		if (is_asked(s)) {
			if (!answer(s))
				return;
		} else if (s->inside && !s->lost) {
			hold(s);
		} else {
			rest(s);
		}
	}
}

/* There is no memory for a passage.  The server answers each request with
 * ATMOST_ENOMEM. */
static void refuse_all(struct remote_member *me)
{
	enum turn turn;

	while ((turn = turn_read(&me->turn)) != TURN_ENDING) {
		me->error = ATMOST_ENOMEM;
		me->why.text[0] = '\0';
		if (turn == TURN_ENTERING)
			turn_change(&me->turn, TURN_ENTERING, TURN_FAILED);
		else if (turn == TURN_CANCELED)
			turn_change(&me->turn, TURN_CANCELED, TURN_OUTSIDE);
		else
			turn_sleep(&me->turn, turn, INT64_MAX);
	}
}

void *serve(void *member)
{
	struct remote_member *me = member;
	struct server s = {
		.me = me,
		.pool = me->pool,
		.algorithm = me->pool->groups ? &ledger_room : &ledger,
		.wake = { .fd = me->wake, .events = CURL_WAIT_POLLIN },
	};

	s.etcd = etcd_open(&(struct etcd_settings){
		.address = address_wire(&me->pool->address),
		.root = me->pool->root,
		.groups = me->pool->groups,
		.k = me->pool->k,
		.seconds = me->pool->seconds,
		.member = "",
		.ahead = true,
		.own = s.own });
	if (!s.etcd) {
		refuse_all(me);
		return NULL;
	}
	/* Members that arrive together begin with different slots. */
	s.etcd->process.hint = (unsigned)(wire_now() / 1000 +
					  (int64_t)getpid() * 7919) %
			       CLUSTER_K_MOST;
	serve_all(&s);
	etcd_close(s.etcd, wire_now() + second);
	return NULL;
}
