/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-slow-entry: k-exclusion by tickets.  A process makes three steps from the
 * end of its doorway until it is inside, but the table says two.
 *
 * Refused by fife; at-most-k, k-fcfs and no-starvation hold.
 */
#include "algorithm.h"
#include "ticket_lock.h"

static int enter(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket, served;

W1:	ticket = mem_add(&t->next, 1);
	doorway_ends(self);
W2:	await(served, &t->served, ticket < served + self->shape->k);
W3:	(void)mem_read(&t->served);
W4:	(void)mem_read(&t->served);
	return 0;
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_slow_entry = {
	.name = "toy-slow-entry",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.tolerates_crashes = true,
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .solo_steps = two_steps },
};
