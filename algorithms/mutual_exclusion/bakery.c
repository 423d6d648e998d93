/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bakery: mutual exclusion in order of arrival, from safe registers.
 *
 * Idea      A process takes a number larger than all numbers it sees; the
 *           process with the smallest number enters.
 * Source    Lamport, "A new solution of Dijkstra's concurrent programming
 *           problem", CACM 17(8), 1974, as in Danek, PODC 2010, Figure 1.
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence; all with safe registers
 * Costs     2n words; CC no bound claimed; DSM unbounded: a process waits on
 *           words of other processes
 * Invariant Let p wait at line 8 for process i.  Either i chose its present
 *           number after p had written its own, so that i's number is larger;
 *           or p sees i's number.  So if two processes have numbers, only the
 *           process with the smaller number passes.
 */
#include "algorithm.h"

/* The words of one process; no other process writes them. */
struct desk {
	OWN_LINE struct word doorway; /* 1: the process is choosing */
	struct word ticket;           /* 0: the process does not compete */
};

enum { TICKET }; /* the number of the only counter */

static size_t words(const struct shape *shape)
{
	return shape->n * WORDS(struct desk);
}

static void init(void *shared, const struct shape *shape)
{
	struct desk *desk = shared;

	for (unsigned i = 0; i < shape->n; i++, desk++) {
		mem_poke(&desk->doorway, 0);
		mem_poke(&desk->ticket, 0);
		mem_place(&desk->doorway, i);
		mem_place(&desk->ticket, i);
		mem_safe_domain(&desk->doorway, ((uint64_t[]){ 0, 1 }), 2);
		mem_safe_domain(&desk->ticket,
				((uint64_t[]){ 0, mem_first(TICKET) + 1,
					       mem_first(TICKET) + 2 }), 3);
		mem_name(&desk->doorway, "Doorway", i);
		mem_name(&desk->ticket, "Ticket", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct desk *desk = shared;

	for (unsigned i = 0; i < shape->n; i++)
		if (mem_peek(&desk[i].doorway) != 0 ||
		    mem_peek(&desk[i].ticket) != 0)
			return false;
	return true;
}

static bool before(uint64_t t, unsigned i, uint64_t u, unsigned j)
{
	return t < u || (t == u && i < j);
}

/* Returns one more than the largest ticket that the process reads. */
static uint64_t choose(struct desk *desk, struct process *self)
{
	uint64_t most = mem_first(TICKET);

	for (unsigned i = 0; i < self->shape->n; i++) {
		uint64_t v;

		if (i == self->id)
			continue;
L4a:		v = safe_read(&desk[i].ticket);
		most = v > most ? v : most;
	}
	return most + 1;
}

static int enter(void *shared, struct process *self)
{
	struct desk *desk = shared;
	struct desk *mine = &desk[self->id];
	uint64_t ticket, v;

L3:	safe_write(&mine->doorway, 1);
	ticket = choose(desk, self);
L4b:	safe_write(&mine->ticket, ticket);
	/* A waiter that read the ticket during this write may have read a value
	 * smaller than the new ticket, and may have gone to sleep.  The new
	 * ticket releases the waiter. */
	mem_wake(&mine->ticket);
L5:	safe_write(&mine->doorway, 0);
	mem_wake(&mine->doorway);
	doorway_ends(self);

	for (unsigned i = 0; i < self->shape->n; i++) {
		if (i == self->id)
			continue;
L7:		await_safe(v, &desk[i].doorway, v == 0);
L8:		await_safe(v, &desk[i].ticket,
			   v == 0 || before(ticket, self->id, v, i));
	}
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct desk *desk = shared;

L10:	safe_write(&desk[self->id].ticket, 0);
	mem_wake(&desk[self->id].ticket);
}

/*
 * A process that finds no ticket takes the first ticket again, and a read that
 * overlaps a write may return the first or the second ticket.  After that, at
 * most n processes take the next tickets, one after the other, before they see
 * the larger tickets of other processes.
 */
static bool counter(const struct shape *shape, unsigned number,
		    struct counter *ticket)
{
	*ticket = (struct counter){ .gap = shape->n + 3, .recurs = true };
	return number == TICKET;
}

/* A safe write is two steps: its beginning and its end. */
static unsigned doorway_steps(const struct shape *shape)
{
	return shape->n - 1 + 3 * 2;
}

static unsigned leave_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

const struct algorithm bakery = {
	.name = "bakery",
	.source = "Lamport 1974 (Danek 2010, Figure 1)",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_SAFE,
	.counter = counter,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 1 },
	.words = words, .init = init, .quiet = quiet,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.rmr_cc = { NULL, "no bound claimed" },
		.rmr_dsm = { NULL,
			     "unbounded: waits on words of other processes" },
	},
};
