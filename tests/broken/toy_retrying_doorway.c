/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-retrying-doorway: a process draws its ticket by a compare-and-swap that
 * it repeats until it succeeds.
 *
 * Refused by bounded-doorway; at-most-k, fcfs and no-deadlock hold.
 */
#include "algorithm.h"

struct retrying {
	struct word next, served;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct retrying);
}

static void init(void *shared, const struct shape *shape)
{
	struct retrying *r = shared;

	(void)shape;
	mem_name(&r->next, "next");
	mem_name(&r->served, "served");
}

static int enter(void *shared, struct process *self)
{
	struct retrying *r = shared;
	uint64_t ticket, served;
	bool drawn;

	do {
C1:		ticket = mem_read(&r->next);
C2:		drawn = mem_cas(&r->next, ticket, ticket + 1);
	} while (!drawn);
	doorway_ends(self);
C3:	await(served, &r->served, served == ticket);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct retrying *r = shared;

	(void)self;
C4:	mem_add(&r->served, 1);
	mem_wake(&r->served);
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
