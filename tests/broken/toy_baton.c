/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-baton: leaver number g admits ticket g + k: it writes this ticket into
 * the word on which the process with the ticket waits.
 *
 * Refused by fife: a slow leaver may not have written its ticket yet when other
 * leavers have already written later tickets.  at-most-k, k-fcfs, bounded-leave
 * and no-starvation without crashes hold.
 */
#include "algorithm.h"

enum { ROUND = 16 }; /* always more than the number of tickets in use */

struct baton {
	struct word next, left;
	struct word told[ROUND]; /* ticket + 1, as a leaver wrote it */
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct baton);
}

static void init(void *shared, const struct shape *shape)
{
	struct baton *b = shared;

	mem_name(&b->next, "next");
	mem_name(&b->left, "left");
	for (unsigned i = 0; i < ROUND; i++)
		mem_name(&b->told[i], "told", i);
	for (unsigned i = 0; i < shape->k && i < ROUND; i++)
		mem_poke(&b->told[i], i + 1);
}

static int enter(void *shared, struct process *self)
{
	struct baton *b = shared;
	uint64_t ticket, told;

T1:	ticket = mem_add(&b->next, 1);
	doorway_ends(self);
T2:	await(told, &b->told[ticket % ROUND], told == ticket + 1);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct baton *b = shared;
	uint64_t heir;

T3:	heir = mem_add(&b->left, 1) + self->shape->k;
T4:	mem_write(&b->told[heir % ROUND], heir + 1);
	mem_wake(&b->told[heir % ROUND]);
}

static unsigned two_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm toy_baton = {
	.name = "toy-baton",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.limits = { .most_n = 8, .most_k = 8 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .leave_steps = two_steps, .solo_steps = two_steps },
};
