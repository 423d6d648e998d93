/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-slots-from-one: a ticket lock whose only slot has the number 1.
 *
 * Refused by unique-slots, because 1 is not below k; at-most-k, fife and
 * no-starvation hold.
 */
#include "algorithm.h"

struct ticket_lock {
	struct word next, served;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct ticket_lock);
}

static void init(void *shared, const struct shape *shape)
{
	struct ticket_lock *t = shared;

	(void)shape;
	mem_name(&t->next, "next");
	mem_name(&t->served, "served");
}

static int enter(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket, served;

K1:	ticket = mem_add(&t->next, 1);
	doorway_ends(self);
K2:	await(served, &t->served, served == ticket);
	return 1;
}

static void leave(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;

	(void)self;
K3:	mem_add(&t->served, 1);
	mem_wake(&t->served);
}

const struct algorithm toy_slots_from_one = {
	.name = "toy-slots-from-one",
	.source = "toy",
	.kind = KIND_K_ASSIGNMENT,
	.promises = AT_MOST_K | FIFE | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE,
	.primitives = USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
};
