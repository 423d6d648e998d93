/* SPDX-License-Identifier: BSD-2-Clause */
/* In place of bench/rivals/condition.c: there is no door. */
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

static void walk_through(void *shared, unsigned id)
{
	(void)shared;
	(void)id;
}

const struct rival rival_condition = {
	.name = "condition",
	.size = size,
	.open = open_house,
	.close = close_house,
	.enter = walk_through,
	.leave = walk_through,
};
