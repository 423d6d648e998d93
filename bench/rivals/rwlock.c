/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pthread_rwlock with its default attributes, for two sessions: session 1
 * reads, session 2 writes.  A program with two sessions that has only a rwlock
 * would use it in this way.  The lock excludes correctly, but at most one
 * worker of session 2 is inside, because writers exclude each other.  The
 * default prefers readers, so a writer may wait as long as there are readers.
 */
#include "bench/rivals/rival.h"

#include <pthread.h>

static size_t size(unsigned n)
{
	(void)n;
	return sizeof(pthread_rwlock_t);
}

static bool open_lock(void *shared, unsigned n, unsigned k, bool processes)
{
	pthread_rwlockattr_t with;

	(void)n;
	(void)k;
	pthread_rwlockattr_init(&with);
	if (processes)
		pthread_rwlockattr_setpshared(&with, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(shared, &with);
	pthread_rwlockattr_destroy(&with);
	return true;
}

static void close_lock(void *shared)
{
	pthread_rwlock_destroy(shared);
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	if (session == 1)
		pthread_rwlock_rdlock(shared);
	else
		pthread_rwlock_wrlock(shared);
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	pthread_rwlock_unlock(shared);
}

const struct rival rival_rwlock = {
	.name = "rwlock",
	.most_sessions = 2,
	.size = size,
	.open = open_lock,
	.close = close_lock,
	.enter = enter,
	.leave = leave,
};
