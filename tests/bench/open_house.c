/* SPDX-License-Identifier: BSD-2-Clause */
/* In place of bench/rivals/condition.c or rwlock.c: there is no door. */
#include "bench/rivals/rival.h"

static size_t size(unsigned n)
{
	return n;
}

static bool open_house(void *shared, unsigned n, unsigned k, bool processes)
{
	(void)shared;
	(void)n;
	(void)k;
	(void)processes;
	return true;
}

static void close_house(void *shared)
{
	(void)shared;
}

static void walk_through(void *shared, unsigned id, uint64_t session)
{
	(void)shared;
	(void)id;
	(void)session;
}

#define HOUSE_CALLED(called)                                      \
	{                                                         \
		.name = called, .size = size, .open = open_house, \
		.close = close_house, .enter = walk_through,      \
		.leave = walk_through,                            \
	}

const struct rival rival_condition = HOUSE_CALLED("condition");
const struct rival rival_rwlock = HOUSE_CALLED("rwlock");
