/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-looking-doorway: a process waits in its doorway, by an await_any on two
 * words.  The table bounds the steps of the doorway, so the checker counts each
 * look.
 *
 * Refused by bounded-doorway.
 */
#include "algorithm.h"

struct looking {
	struct word next, served, other;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct looking);
}

static void init(void *shared, const struct shape *shape)
{
	struct looking *l = shared;

	(void)shape;
	mem_name(&l->next, "next");
	mem_name(&l->served, "served");
	mem_name(&l->other, "other");
}

static int enter(void *shared, struct process *self)
{
	struct looking *l = shared;
	uint64_t ticket;

L1:	ticket = mem_add(&l->next, 1);
	await_any(pass) {
L2:		if (look(pass, &l->served) == ticket)
			break;
L3:		if (look(pass, &l->other) == self->shape->n)
			break;
	}
	doorway_ends(self);
L4:	(void)mem_read(&l->served);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct looking *l = shared;

	(void)self;
L5:	mem_add(&l->other, 1);
	mem_wake(&l->other);
L6:	mem_add(&l->other, (uint64_t)-1);
	mem_wake(&l->other);
L7:	mem_add(&l->served, 1);
	mem_wake(&l->served);
}

static unsigned twelve_steps(const struct shape *shape)
{
	(void)shape;
	return 12;
}

const struct algorithm toy_looking_doorway = {
	.name = "toy-looking-doorway",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_DOORWAY,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .doorway_steps = twelve_steps },
};
