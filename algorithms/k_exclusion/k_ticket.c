/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * k-ticket: k-exclusion from fetch-and-add, in order of arrival.
 *
 * Idea      A process draws a ticket.  It enters when fewer than k earlier
 *           tickets are still in use.
 * Source    Reed and Kanodia, "Synchronization with eventcounts and
 *           sequencers", CACM 22(2), 1979; the line numbers are ours.
 * Shape     any n, any k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           no-lost-wake; prompt-wake; quiescence; invariant
 * Costs     2 words; CC n-k+3 RMRs; DSM unbounded: all processes wait on one
 *           word
 * Invariant Every ticket whose process has entered is < served + k.  The number
 *           of processes inside is the number that entered minus `served`, so
 *           it is at most k.
 */
#include "algorithm.h"

struct k_ticket {
	OWN_LINE struct word next;   /* the ticket of the next arrival */
	OWN_LINE struct word served; /* how many processes have left */
};

enum { TICKET }; /* the number of the only counter */

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct k_ticket);
}

static void init(void *shared, const struct shape *shape)
{
	struct k_ticket *t = shared;

	(void)shape;
	mem_poke(&t->next, mem_first(TICKET));
	mem_poke(&t->served, mem_first(TICKET));
	mem_name(&t->next, "next");
	mem_name(&t->served, "served");
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct k_ticket *t = shared;

	(void)shape;
	return mem_peek(&t->next) == mem_peek(&t->served);
}

/* The number of tickets that are drawn and not served is `next` - `served`.
 * The processes between L1 and L3 have these tickets. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct k_ticket *t = shared;
	uint64_t out = 0;

	for (unsigned i = 0; i < shape->n; i++)
		out += all[i].phase == PHASE_WAITING ||
		       all[i].phase == PHASE_INSIDE;
	return mem_peek(&t->next) - mem_peek(&t->served) == out;
}

static int enter(void *shared, struct process *self)
{
	struct k_ticket *t = shared;
	uint64_t ticket, served;

L1:	ticket = mem_add(&t->next, 1);
	doorway_ends(self);
	/* The test is not `ticket - served < k`: `served` may exceed the ticket
	 * of a slow process, and the unsigned difference would wrap. */
L2:	await(served, &t->served, ticket < served + self->shape->k);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct k_ticket *t = shared;

	(void)self;
L3:	mem_add(&t->served, 1);
	mem_wake(&t->served);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

/* `served` changes at most n-k times while a process waits. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return shape->n > shape->k ? shape->n - shape->k + 3 : 3;
}

/* Only differences between tickets matter.  They are small: at most n tickets
 * are in use. */
static bool counter(const struct shape *shape, unsigned number,
		    struct counter *ticket)
{
	*ticket = (struct counter){ .gap = shape->n + shape->k };
	return number == TICKET;
}

const struct algorithm k_ticket = {
	.name = "k-ticket",
	.source = "Reed and Kanodia 1979",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_ADD,
	.counter = counter,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = one_step, .leave_steps = one_step,
		.solo_steps = one_step,
		.rmr_cc = { rmr_cc, "n-k+3" },
		.rmr_dsm = { NULL,
			     "unbounded: all processes wait on one word" },
	},
};
