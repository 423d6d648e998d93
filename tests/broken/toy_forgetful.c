/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-forgetful: k-ticket that also counts the processes inside and records the
 * last process that entered, the guest.  But the count never goes down, and a
 * process records itself as the guest only when it leaves.
 *
 * Refused by quiescence, because of the count, and by invariant, because of the
 * guest; at-most-k, fife and no-starvation with k-1 crashes hold.
 */
#include "algorithm.h"

struct forgetful {
	struct word next, served, inside, guest;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct forgetful);
}

static void init(void *shared, const struct shape *shape)
{
	struct forgetful *f = shared;

	(void)shape;
	mem_name(&f->next, "next");
	mem_name(&f->served, "served");
	mem_name(&f->inside, "inside");
	mem_name(&f->guest, "guest");
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct forgetful *f = shared;

	(void)shape;
	return mem_peek(&f->inside) == 0;
}

/* If k is 1, the process inside is the recorded guest. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct forgetful *f = shared;

	for (unsigned i = 0; i < shape->n && shape->k == 1; i++)
		if (all[i].phase == PHASE_INSIDE &&
		    mem_peek(&f->guest) != i + 1)
			return false;
	return true;
}

static int enter(void *shared, struct process *self)
{
	struct forgetful *f = shared;
	uint64_t ticket, served;

G1:	ticket = mem_add(&f->next, 1);
	doorway_ends(self);
G2:	await(served, &f->served, ticket < served + self->shape->k);
G3:	mem_add(&f->inside, 1);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct forgetful *f = shared;

G4:	mem_write(&f->guest, self->id + 1);
G5:	mem_add(&f->served, 1);
	mem_wake(&f->served);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_forgetful = {
	.name = "toy-forgetful",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.tolerates_crashes = true,
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = { .leave_steps = two_steps, .solo_steps = two_steps },
};
