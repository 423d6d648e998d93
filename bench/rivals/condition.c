/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Workers enter in order of arrival: a queue of tickets under a mutex.
 *
 * Each waiter sleeps on its own condition, and a leaver signals the waiter
 * whose turn it is.  With one condition for all waiters, each leaver would have
 * to wake all of them, and the rival would be unfairly slow.
 */
#include "bench/rivals/rival.h"

#include <pthread.h>
#include <stdint.h>

struct waiter {
	_Alignas(64) pthread_cond_t turn;
};

struct queue {
	pthread_mutex_t mutex;
	uint64_t next;   /* the ticket of the next arrival */
	uint64_t served; /* how many workers have left */
	unsigned n, k;
	struct waiter *waiters;
	unsigned *holder; /* holder[t % n]: the id of the worker that waits with
			     ticket t */
};

/*
 * Forked workers map the memory at the same address, so the memory can contain
 * pointers.
 */
static size_t size(unsigned n)
{
	return sizeof(struct queue) + 64 +
	       n * (sizeof(struct waiter) + sizeof(unsigned));
}

static void lay_out(struct queue *q)
{
	uintptr_t end = (uintptr_t)(q + 1);

	q->waiters = (struct waiter *)((end + 63) / 64 * 64);
	q->holder = (unsigned *)(q->waiters + q->n);
}

static bool open_queue(void *shared, unsigned n, unsigned k, bool processes)
{
	const int with = processes ? PTHREAD_PROCESS_SHARED
				   : PTHREAD_PROCESS_PRIVATE;
	struct queue *q = shared;
	pthread_mutexattr_t of_mutex;
	pthread_condattr_t of_condition;

	q->n = n;
	q->k = k;
	lay_out(q);
	/* With valid values none of these calls fails on Linux. */
	pthread_mutexattr_init(&of_mutex);
	pthread_mutexattr_setpshared(&of_mutex, with);
	pthread_mutex_init(&q->mutex, &of_mutex);
	pthread_mutexattr_destroy(&of_mutex);
	pthread_condattr_init(&of_condition);
	pthread_condattr_setpshared(&of_condition, with);
	for (unsigned id = 0; id < n; id++)
		pthread_cond_init(&q->waiters[id].turn, &of_condition);
	pthread_condattr_destroy(&of_condition);
	return true;
}

static void close_queue(void *shared)
{
	struct queue *q = shared;

	for (unsigned id = 0; id < q->n; id++)
		pthread_cond_destroy(&q->waiters[id].turn);
	pthread_mutex_destroy(&q->mutex);
}

/*
 * The waiting tickets are served + k to next - 1.  There are at most n of them,
 * so no two share an entry of holder.
 */
static void enter(void *shared, unsigned id, uint64_t session)
{
	struct queue *q = shared;
	uint64_t ticket;

	(void)session;
	pthread_mutex_lock(&q->mutex);
	ticket = q->next++;
	if (ticket >= q->served + q->k)
		q->holder[ticket % q->n] = id;
	while (ticket >= q->served + q->k)
		pthread_cond_wait(&q->waiters[id].turn, &q->mutex);
	pthread_mutex_unlock(&q->mutex);
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	struct queue *q = shared;
	pthread_cond_t *turn = NULL;
	uint64_t admitted;

	(void)id;
	(void)session;
	pthread_mutex_lock(&q->mutex);
	q->served++;
	admitted = q->served + q->k - 1;
	if (admitted < q->next)
		turn = &q->waiters[q->holder[admitted % q->n]].turn;
	pthread_mutex_unlock(&q->mutex);
	/*
	 * The signal comes after the unlock, so that the woken waiter finds the
	 * mutex free.
	 */
	if (turn)
		pthread_cond_signal(turn);
}

const struct rival rival_condition = {
	.name = "condition",
	.size = size,
	.open = open_queue,
	.close = close_queue,
	.enter = enter,
	.leave = leave,
};
