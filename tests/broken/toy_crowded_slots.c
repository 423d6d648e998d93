/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-crowded-slots: k-exclusion by tickets.  The slot of a process is the
 * number of processes that are already inside, even if another process holds
 * this slot.
 *
 * Refused by unique-slots; at-most-k, fife and no-starvation hold.
 */
#include "algorithm.h"

struct crowded {
	struct word next, served, inside;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct crowded);
}

static void init(void *shared, const struct shape *shape)
{
	struct crowded *c = shared;

	(void)shape;
	mem_name(&c->next, "next");
	mem_name(&c->served, "served");
	mem_name(&c->inside, "inside");
}

static int enter(void *shared, struct process *self)
{
	struct crowded *c = shared;
	uint64_t ticket, served, slot;

K1:	ticket = mem_add(&c->next, 1);
	doorway_ends(self);
K2:	await(served, &c->served, ticket < served + self->shape->k);
K3:	slot = mem_add(&c->inside, 1);
	return (int)slot;
}

static void leave(void *shared, struct process *self)
{
	struct crowded *c = shared;

	(void)self;
K4:	mem_add(&c->inside, (uint64_t)-1);
K5:	mem_add(&c->served, 1);
	mem_wake(&c->served);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_crowded_slots = {
	.name = "toy-crowded-slots",
	.source = "toy",
	.kind = KIND_K_ASSIGNMENT,
	.promises = AT_MOST_K | FIFE | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE,
	.primitives = USES_ADD,
	.tolerates_crashes = true,
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .solo_steps = two_steps },
};
