/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-both-values: a pass of the poll finds two values of one word, and names
 * the word with both values.  If the values differ, the process does not sleep.
 *
 * Not broken: all its promises hold.
 */
#include "algorithm.h"

struct both_values {
	struct word free, other;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct both_values);
}

static void init(void *shared, const struct shape *shape)
{
	struct both_values *b = shared;

	(void)shape;
	mem_poke(&b->free, 1);
	mem_name(&b->free, "free");
	mem_name(&b->other, "other");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct both_values *b = shared;
	uint64_t first, last;

	(void)self;
B1:	first = mem_read(&b->free);
B2:	last = mem_read(&b->free);
	if (last) {
B3:		if (mem_cas(&b->free, 1, 0))
			return true;
		last = 0;
	}
B4:	(void)mem_read(&b->other);
	wait_for_change(wait, &b->free, first);
	wait_for_change(wait, &b->free, last);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct both_values *b = shared;

	(void)self;
B5:	mem_write(&b->free, 1);
	mem_wake(&b->free);
}

const struct algorithm toy_both_values = {
	.name = "toy-both-values",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.limits = { .most_k = 1 },
	.retries = true,
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
