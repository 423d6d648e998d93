/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-early-name: a pass of the poll reads `hint`, names it if it is 0, and
 * then reads `door`.  What the pass read from `hint` does not matter after
 * that, except that a process need not nap after a pass that has named no word.
 *
 * Not broken: all its promises hold.
 */
#include "algorithm.h"

struct early_name {
	struct word hint, door;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct early_name);
}

static void init(void *shared, const struct shape *shape)
{
	struct early_name *e = shared;

	(void)shape;
	mem_name(&e->hint, "hint");
	mem_name(&e->door, "door");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

/* This is a function of its own, so that the value of the hint is not part of
 * the state after the function has returned. */
static void read_hint(struct early_name *e, struct wait_set *wait)
{
	uint64_t hint;

E1:	hint = mem_read(&e->hint);
	if (hint == 0)
		wait_for_change(wait, &e->hint, hint);
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct early_name *e = shared;

	(void)self;
	read_hint(e, wait);
E2:	return mem_cas(&e->door, 0, 1);
}

static void leave(void *shared, struct process *self)
{
	struct early_name *e = shared;

	(void)self;
E3:	mem_write(&e->door, 0);
E4:	mem_write(&e->hint, 1);
	mem_wake(&e->hint);
}

const struct algorithm toy_early_name = {
	.name = "toy-early-name",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.limits = { .most_k = 1 },
	.retries = true,
	.naps = true,
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
