/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-second-thoughts: the first poll of a passage returns false and the second
 * returns true, whatever the value of the word that the first poll names.  Not
 * broken as long as sleeping waiters nap.
 *
 * Refused by no-lost-wake: no process ever wakes the waiter.  no-deadlock and
 * no-starvation hold, because a pass that changed a word is repeated.
 */
#include "algorithm.h"

enum { OWN_ASKED, OWN_WORDS };

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
	mem_name((struct word *)shared, "idle");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *idle = shared;
	uint64_t v;

J1:	v = mem_read(idle);
	if (mem_own_read(self, OWN_ASKED))
		return true;
	mem_own_write(self, OWN_ASKED, 1);
	wait_for_change(wait, idle, v);
	return false;
}

static void leave(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

const struct algorithm toy_second_thoughts = {
	.name = "toy-second-thoughts",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
