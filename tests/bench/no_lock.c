/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces bench/rivals/condition.c or rwlock.c by a lock that excludes no
 * worker. */
#include "bench/rivals/rival.h"

static size_t size(unsigned n)
{
	return n;
}

static bool open_nothing(void *shared, unsigned n, unsigned k, bool processes)
{
	(void)shared;
	(void)n;
	(void)k;
	(void)processes;
	return true;
}

static void close_nothing(void *shared)
{
	(void)shared;
}

static void do_nothing(void *shared, unsigned id, uint64_t session)
{
	(void)shared;
	(void)id;
	(void)session;
}

#define NO_LOCK(called)                                             \
	{                                                           \
		.name = called, .size = size, .open = open_nothing, \
		.close = close_nothing, .enter = do_nothing,        \
		.leave = do_nothing,                                \
	}

const struct rival rival_condition = NO_LOCK("condition");
const struct rival rival_rwlock = NO_LOCK("rwlock");
