/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-glance: the doorway looks at a word that never changes, and the first
 * pass of the poll reads it again.
 *
 * Not broken: all its promises hold.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "idle");
}

static bool doorway(void *shared, struct process *self)
{
	(void)self;
	await_any(pass) {
G1:		if (look(pass, (struct word *)shared) == 0)
			break;
	}
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	(void)self;
	(void)wait;
G2:	return mem_read((struct word *)shared) == 0;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_glance = {
	.name = "toy-glance",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
