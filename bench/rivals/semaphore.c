/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sem_t, as most programs use it.  It keeps no order of arrival: a leaver may
 * enter again before the waiter that it woke has run.
 */
#include "bench/rivals/rival.h"

#include <semaphore.h>

static size_t size(unsigned n)
{
	(void)n;
	return sizeof(sem_t);
}

static bool open_semaphore(void *shared, unsigned n, unsigned k, bool processes)
{
	(void)n;
	return sem_init(shared, processes, k) == 0;
}

static void close_semaphore(void *shared)
{
	sem_destroy(shared);
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	while (sem_wait(shared) < 0)
		continue; /* a signal has interrupted the call */
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	sem_post(shared);
}

const struct rival rival_semaphore = {
	.name = "sem_t",
	.size = size,
	.open = open_semaphore,
	.close = close_semaphore,
	.enter = enter,
	.leave = leave,
};
