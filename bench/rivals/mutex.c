/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plain mutex lets one worker in, whatever its session.  A program that does
 * not use sessions gets this result, so the result shows how much group
 * exclusion gains.  A robust mutex also tells the next owner that the previous
 * owner died.
 */
#include "bench/rivals/rival.h"

#include <pthread.h>

static size_t size(unsigned n)
{
	(void)n;
	return sizeof(pthread_mutex_t);
}

static bool make(pthread_mutex_t *mutex, bool processes, int robust)
{
	pthread_mutexattr_t with;

	pthread_mutexattr_init(&with);
	if (processes)
		pthread_mutexattr_setpshared(&with, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&with, robust);
	pthread_mutex_init(mutex, &with);
	pthread_mutexattr_destroy(&with);
	return true;
}

static bool open_mutex(void *shared, unsigned n, unsigned k, bool processes)
{
	(void)n;
	(void)k;
	return make(shared, processes, PTHREAD_MUTEX_STALLED);
}

static bool open_robust(void *shared, unsigned n, unsigned k, bool processes)
{
	(void)n;
	(void)k;
	return make(shared, processes, PTHREAD_MUTEX_ROBUST);
}

static void close_mutex(void *shared)
{
	pthread_mutex_destroy(shared);
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	pthread_mutex_lock(shared);
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	pthread_mutex_unlock(shared);
}

const struct rival rival_mutex = {
	.name = "mutex",
	.size = size,
	.open = open_mutex,
	.close = close_mutex,
	.enter = enter,
	.leave = leave,
};

const struct rival rival_robust = {
	.name = "robust",
	.size = size,
	.open = open_robust,
	.close = close_mutex,
	.enter = enter,
	.leave = leave,
};
