/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-knocking: its poll writes and returns false, and its table does not say
 * that it retries.
 *
 * Refused by the checker itself: without `retries` it does not look for cycles,
 * and a poll that writes every time could be repeated for ever.
 */
#include "algorithm.h"

enum { OWN_KNOCKED, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "door");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *door = shared;

J1:	mem_write(door, self->id);
	if (mem_own_read(self, OWN_KNOCKED))
		return true;
	mem_own_write(self, OWN_KNOCKED, 1);
	wait_for_change(wait, door, self->id);
	return false;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_knocking = {
	.name = "toy-knocking",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
