/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-slow-leave: tickets are given back in the order in which they were drawn,
 * so a leaver waits for all earlier tickets.
 *
 * Refused by bounded-leave; at-most-k, k-fcfs, fife and no-starvation without
 * crashes hold.
 */
#include "algorithm.h"

struct slow {
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
	return WORDS(struct slow);
}

static void init(void *shared, const struct shape *shape)
{
	struct slow *s = shared;

	(void)shape;
	mem_name(&s->next, "next");
	mem_name(&s->served, "served");
}

static int enter(void *shared, struct process *self)
{
	struct slow *s = shared;
	uint64_t served;

W1:	mem_own_write(self, OWN_TICKET, mem_add(&s->next, 1));
	doorway_ends(self);
W2:	await(served, &s->served,
	      mem_own_read(self, OWN_TICKET) < served + self->shape->k);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct slow *s = shared;
	uint64_t served;

W3:	await(served, &s->served, served == mem_own_read(self, OWN_TICKET));
W4:	mem_add(&s->served, 1);
	mem_wake(&s->served);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_slow_leave = {
	.name = "toy-slow-leave",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | K_FCFS | FIFE | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE,
	.primitives = USES_ADD,
	.words = words, .own_words = own_words, .init = init,
	.enter = enter, .leave = leave,
	.bounds = { .leave_steps = two_steps, .solo_steps = two_steps },
};
