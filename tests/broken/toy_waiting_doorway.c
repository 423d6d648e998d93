/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-waiting-doorway: a ticket lock whose doorway ends after the wait.
 *
 * Refused by bounded-doorway, because a process is blocked in its doorway.  The
 * number of steps in the doorway is within the bound.  at-most-k and
 * no-starvation hold.
 */
#include "algorithm.h"
#include "ticket_lock.h"

static int enter(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket, served;

D1:	ticket = mem_add(&t->next, 1);
D2:	await(served, &t->served, served == ticket);
	doorway_ends(self);
D3:	(void)mem_read(&t->served);
	return 0;
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_waiting_doorway = {
	.name = "toy-waiting-doorway",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .doorway_steps = two_steps },
};
