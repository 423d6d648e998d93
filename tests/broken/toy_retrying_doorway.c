/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-retrying-doorway: a process draws its ticket by a compare-and-swap that
 * it repeats until it succeeds.
 *
 * Refused by bounded-doorway; at-most-k, fcfs and no-deadlock hold.
 */
#include "algorithm.h"
#include "ticket_lock.h"

static int enter(void *shared, struct process *self)
{
	struct ticket_lock *t = shared;
	uint64_t ticket, served;
	bool drawn;

	do {
C1:		ticket = mem_read(&t->next);
C2:		drawn = mem_cas(&t->next, ticket, ticket + 1);
	} while (!drawn);
	doorway_ends(self);
C3:	await(served, &t->served, served == ticket);
	return 0;
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_retrying_doorway = {
	.name = "toy-retrying-doorway",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_LOST_WAKE,
	.primitives = USES_CAS | USES_ADD,
	.retries = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .doorway_steps = two_steps },
};
