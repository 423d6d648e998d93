/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-slots-from-one: a ticket lock whose only slot has the number 1.
 *
 * Refused by unique-slots, because 1 is not below k; at-most-k, fife and
 * no-starvation hold.
 */
#include "algorithm.h"
#include "ticket_lock.h"

static int enter(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket, served;

K1:	ticket = mem_add(&t->next, 1);
	doorway_ends(self);
K2:	await(served, &t->served, served == ticket);
	return 1;
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
