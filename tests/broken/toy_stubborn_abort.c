/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-stubborn-abort: a process that gives up still waits for its turn.
 *
 * Refused by bounded-abort; at-most-k, fcfs and bounded-leave hold.
 */
#include "algorithm.h"

struct stubborn {
	struct word next, served;
};

enum { OWN_TICKET, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct stubborn);
}

static void init(void *shared, const struct shape *shape)
{
	struct stubborn *s = shared;

	(void)shape;
	mem_name(&s->next, "next");
	mem_name(&s->served, "served");
}

static bool doorway(void *shared, struct process *self)
{
	struct stubborn *s = shared;

S1:	mem_own_write(self, OWN_TICKET, mem_add(&s->next, 1));
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct stubborn *s = shared;
	uint64_t served;

S2:	served = mem_read(&s->served);
	if (served == mem_own_read(self, OWN_TICKET))
		return true;
	wait_for_change(wait, &s->served, served);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct stubborn *s = shared;

	(void)self;
S3:	mem_add(&s->served, 1);
	mem_wake(&s->served);
}

static void give_up(void *shared, struct process *self)
{
	struct stubborn *s = shared;
	uint64_t served;

S4:	await(served, &s->served, served == mem_own_read(self, OWN_TICKET));
	leave(shared, self);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_stubborn_abort = {
	.name = "toy-stubborn-abort",
	.source = "toy",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | BOUNDED_LEAVE |
		    NO_LOST_WAKE,
	.primitives = USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .own_words = own_words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.bounds = { .leave_steps = two_steps, .abort_steps = two_steps },
};
