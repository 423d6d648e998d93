/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A room for one session at a time: a mutex, a queue in order of arrival, and a
 * condition for each waiter.  Who comes enters at once if nobody waits and the
 * room is empty or of its session; otherwise it queues, also behind others of
 * its own session.  So everybody is the oldest waiter one day, and nobody
 * starves.  The last to leave lets in the oldest waiter and others of its
 * session.  Which others, the rooms differ in: the including file says before, in
 * joins().
 *
 * The C library's mutex is not fair: who leaves may have it again before those
 * who wait for it run.  With FAIR it is taken in order of arrival.
 */
#include "bench/rivals/rival.h"

#include <pthread.h>
#include <stdatomic.h>

struct waiter {
	_Alignas(64) pthread_cond_t turn;
	pthread_cond_t door; /* of who has the ticket of this place */
	bool admitted;
};

struct request {
	unsigned id;
	uint64_t session;
};

struct room {
	pthread_mutex_t mutex;
	pthread_mutex_t door_mutex; /* FAIR: before the other one */
	atomic_uint arrived;
	unsigned served;
	unsigned n;
	unsigned inside;
	uint64_t session; /* of those inside, if any */
	unsigned waiting; /* how many are in the queue */
	struct waiter *waiters;
	struct request *queue; /* the oldest first */
};

/* Forked participants have it all at one address: pointers may stand in it. */
static size_t size(unsigned n)
{
	return sizeof(struct room) + 64 +
	       n * (sizeof(struct waiter) + sizeof(struct request));
}

static void lay_out(struct room *r)
{
	uintptr_t end = (uintptr_t)(r + 1);

	r->waiters = (struct waiter *)((end + 63) / 64 * 64);
	r->queue = (struct request *)(r->waiters + r->n);
}

static bool open_room(void *shared, unsigned n, unsigned k, bool processes)
{
	const int with = processes ? PTHREAD_PROCESS_SHARED
				   : PTHREAD_PROCESS_PRIVATE;
	struct room *r = shared;
	pthread_mutexattr_t of_mutex;
	pthread_condattr_t of_condition;

	(void)k;
	r->n = n;
	lay_out(r);
	/* None of these fails on Linux for values that exist. */
	pthread_mutexattr_init(&of_mutex);
	pthread_mutexattr_setpshared(&of_mutex, with);
	pthread_mutex_init(&r->mutex, &of_mutex);
	pthread_mutex_init(&r->door_mutex, &of_mutex);
	pthread_mutexattr_destroy(&of_mutex);
	pthread_condattr_init(&of_condition);
	pthread_condattr_setpshared(&of_condition, with);
	for (unsigned id = 0; id < n; id++) {
		pthread_cond_init(&r->waiters[id].turn, &of_condition);
		pthread_cond_init(&r->waiters[id].door, &of_condition);
	}
	pthread_condattr_destroy(&of_condition);
	return true;
}

static void close_room(void *shared)
{
	struct room *r = shared;

	for (unsigned id = 0; id < r->n; id++) {
		pthread_cond_destroy(&r->waiters[id].turn);
		pthread_cond_destroy(&r->waiters[id].door);
	}
	pthread_mutex_destroy(&r->mutex);
	pthread_mutex_destroy(&r->door_mutex);
}

/* Each of n has one ticket at most: their places differ. */
static void take(struct room *r)
{
	unsigned ticket = FAIR ? atomic_fetch_add(&r->arrived, 1) : 0;

	if (FAIR) {
		pthread_mutex_lock(&r->door_mutex);
		while (r->served != ticket)
			pthread_cond_wait(&r->waiters[ticket % r->n].door,
					  &r->door_mutex);
		pthread_mutex_unlock(&r->door_mutex);
	}
	pthread_mutex_lock(&r->mutex);
}

static void pass_door(struct room *r)
{
	unsigned next;

	if (!FAIR)
		return;
	pthread_mutex_lock(&r->door_mutex);
	next = ++r->served;
	pthread_mutex_unlock(&r->door_mutex);
	pthread_cond_signal(&r->waiters[next % r->n].door);
}

static void queue_up(struct room *r, unsigned id, uint64_t session)
{
	struct waiter *me = &r->waiters[id];

	me->admitted = false;
	r->queue[r->waiting++] = (struct request){ id, session };
	pass_door(r);
	while (!me->admitted)
		pthread_cond_wait(&me->turn, &r->mutex);
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	struct room *r = shared;

	take(r);
	if (r->waiting == 0 && (r->inside == 0 || r->session == session)) {
		r->session = session;
		r->inside++;
		pass_door(r);
	} else {
		queue_up(r, id, session);
	}
	pthread_mutex_unlock(&r->mutex);
}

/* The others move up.  Writes down who is let in, and returns how many. */
static unsigned admit(struct room *r, unsigned *admitted)
{
	unsigned kept = 0;

	if (r->waiting > 0)
		r->session = r->queue[0].session;
	for (unsigned i = 0; i < r->waiting; i++) {
		struct request q = r->queue[i];

		if (q.session == r->session && joins(kept)) {
			r->waiters[q.id].admitted = true;
			admitted[r->inside++] = q.id;
		} else {
			r->queue[kept++] = q;
		}
	}
	r->waiting = kept;
	return r->inside;
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	struct room *r = shared;
	unsigned admitted[WORKERS_MOST], count = 0;

	(void)id;
	(void)session;
	take(r);
	if (--r->inside == 0)
		count = admit(r, admitted);
	pass_door(r);
	pthread_mutex_unlock(&r->mutex);
	/* Outside: who is woken finds the mutex free. */
	for (unsigned i = 0; i < count; i++)
		pthread_cond_signal(&r->waiters[admitted[i]].turn);
}
