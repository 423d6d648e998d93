/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plain mutex: whoever asks for whichever session, one is inside.  It is what
 * a program has that does without sessions; what groups gain shows against it.
 */
#define _GNU_SOURCE

#include "bench/rivals/rival.h"

#include <pthread.h>

static size_t size(unsigned n)
{
	(void)n;
	return sizeof(pthread_mutex_t);
}

static bool open_mutex(void *shared, unsigned n, unsigned k, bool processes)
{
	pthread_mutexattr_t with;

	(void)n;
	(void)k;
	pthread_mutexattr_init(&with);
	if (processes)
		pthread_mutexattr_setpshared(&with, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(shared, &with);
	pthread_mutexattr_destroy(&with);
	return true;
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
