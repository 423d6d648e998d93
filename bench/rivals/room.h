/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A room for one session at a time: a mutex, a queue in order of arrival, and a
 * condition for each waiter.  A caller enters at once if the queue is empty and
 * the room is empty or has the caller's session.  Otherwise the caller queues,
 * even behind waiters of its own session.  So every waiter becomes the oldest
 * waiter in the end, and no waiter starves.  When the last worker inside
 * leaves, it lets in the oldest waiter, and other waiters of that waiter's
 * session.  For each of these other waiters, the function joins(), which the
 * including file defines, decides whether the waiter is let in.
 *
 * The C library's mutex is not fair: a worker may unlock it and lock it again
 * before its waiters run.  With FAIR a ticket lock in front of the mutex keeps
 * the order of arrival.
 */
#include "bench/rivals/rival.h"

#include <pthread.h>
#include <stdatomic.h>

struct waiter {
	_Alignas(64) pthread_cond_t turn;
	pthread_cond_t ticket_turn; /* FAIR: for the ticket t with t % n = id */
	bool admitted;
};

struct request {
	unsigned id;
	uint64_t session;
};

struct room {
	pthread_mutex_t mutex;
	pthread_mutex_t ticket_mutex; /* FAIR: taken before mutex */
	atomic_uint arrived;
	unsigned served;
	unsigned n;
	unsigned inside;
	uint64_t session; /* of the workers inside */
	unsigned waiting; /* length of the queue */
	struct waiter *waiters;
	struct request *queue; /* oldest first */
};

/*
 * Forked workers map the memory at the same address, so the memory can contain
 * pointers.
 */
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
	/* With valid values none of these calls fails on Linux. */
	pthread_mutexattr_init(&of_mutex);
	pthread_mutexattr_setpshared(&of_mutex, with);
	pthread_mutex_init(&r->mutex, &of_mutex);
	pthread_mutex_init(&r->ticket_mutex, &of_mutex);
	pthread_mutexattr_destroy(&of_mutex);
	pthread_condattr_init(&of_condition);
	pthread_condattr_setpshared(&of_condition, with);
	for (unsigned id = 0; id < n; id++) {
		pthread_cond_init(&r->waiters[id].turn, &of_condition);
		pthread_cond_init(&r->waiters[id].ticket_turn, &of_condition);
	}
	pthread_condattr_destroy(&of_condition);
	return true;
}

static void close_room(void *shared)
{
	struct room *r = shared;

	for (unsigned id = 0; id < r->n; id++) {
		pthread_cond_destroy(&r->waiters[id].turn);
		pthread_cond_destroy(&r->waiters[id].ticket_turn);
	}
	pthread_mutex_destroy(&r->mutex);
	pthread_mutex_destroy(&r->ticket_mutex);
}

/*
 * Each of the n workers has at most one ticket, so no two tickets share an
 * index.
 */
static void lock_room(struct room *r)
{
	unsigned ticket = FAIR ? atomic_fetch_add(&r->arrived, 1) : 0;

	if (FAIR) {
		pthread_mutex_lock(&r->ticket_mutex);
		while (r->served != ticket)
			pthread_cond_wait(
				&r->waiters[ticket % r->n].ticket_turn,
				&r->ticket_mutex);
		pthread_mutex_unlock(&r->ticket_mutex);
	}
	pthread_mutex_lock(&r->mutex);
}

static void serve_next_ticket(struct room *r)
{
	unsigned next;

	if (!FAIR)
		return;
	pthread_mutex_lock(&r->ticket_mutex);
	next = ++r->served;
	pthread_mutex_unlock(&r->ticket_mutex);
	pthread_cond_signal(&r->waiters[next % r->n].ticket_turn);
}

static void queue_up(struct room *r, unsigned id, uint64_t session)
{
	struct waiter *me = &r->waiters[id];

	me->admitted = false;
	r->queue[r->waiting++] = (struct request){ id, session };
	serve_next_ticket(r);
	while (!me->admitted)
		pthread_cond_wait(&me->turn, &r->mutex);
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	struct room *r = shared;

	lock_room(r);
	if (r->waiting == 0 && (r->inside == 0 || r->session == session)) {
		r->session = session;
		r->inside++;
		serve_next_ticket(r);
	} else {
		queue_up(r, id, session);
	}
	pthread_mutex_unlock(&r->mutex);
}

/*
 * Lets waiters in; the other waiters move up in the queue.  Writes the ids of
 * the admitted waiters and returns their number.
 */
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
	lock_room(r);
	if (--r->inside == 0)
		count = admit(r, admitted);
	serve_next_ticket(r);
	pthread_mutex_unlock(&r->mutex);
	/*
	 * Signals come after the unlock, so that the woken waiters find the
	 * mutex free.
	 */
	for (unsigned i = 0; i < count; i++)
		pthread_cond_signal(&r->waiters[admitted[i]].turn);
}
