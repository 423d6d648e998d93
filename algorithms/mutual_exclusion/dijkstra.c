/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dijkstra: the first solution of the n-process critical section problem.
 *
 * Idea      A process takes the turn from a process that does not compete, then
 *           sets its own flag to 2.  If it sees that another flag is 2, it
 *           starts again.
 * Source    Dijkstra, "Solution of a problem in concurrent programming
 *           control", CACM 8(9), 1965, as in Goyal's lecture of 2021, slides
 *           "Dijkstra's ME Algorithm"; label L is the slide's, the labels D1 to
 *           D6 are ours.
 * Shape     k = 1, n >= 2
 * Promises  at-most-k; no-deadlock; no-wait-below-k; bounded-leave;
 *           exit-termination; no-lost-wake; prompt-wake; quiescence. Not
 *           no-starvation: a process may wait for the turn for ever.
 * Costs     n + 1 words; CC and DSM unbounded
 * Invariant The process inside has flag 2, and it read every other flag after
 *           it wrote its own.  If two processes have flag 2, the process that
 *           wrote its flag later sees that the other flag is 2.
 */
#include "algorithm.h"

struct dijkstra {
	OWN_LINE struct word turn; /* the process that may set its flag to 2 */
	struct desk {
		/* 0: does not compete; 1: wants the turn; 2: is inside or about
		 * to enter */
		OWN_LINE struct word flag;
	} desk[];
};

static size_t words(const struct shape *shape)
{
	return WORDS(struct dijkstra) + shape->n * WORDS(struct desk);
}

static void init(void *shared, const struct shape *shape)
{
	struct dijkstra *d = shared;

	mem_poke(&d->turn, 0);
	mem_name(&d->turn, "turn");
	for (unsigned i = 0; i < shape->n; i++) {
		mem_poke(&d->desk[i].flag, 0);
		mem_place(&d->desk[i].flag, i);
		mem_name(&d->desk[i].flag, "flag", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct dijkstra *d = shared;

	for (unsigned i = 0; i < shape->n; i++)
		if (mem_peek(&d->desk[i].flag) != 0)
			return false;
	return true;
}

/* Whether no other process has flag 2. */
static bool alone(struct dijkstra *d, struct process *self)
{
	for (unsigned j = 0; j < self->shape->n; j++) {
		uint64_t f;

		if (j == self->id)
			continue;
D5:		f = mem_read(&d->desk[j].flag);
		if (f == 2)
			return false;
	}
	return true;
}

/* Wait until the turn is ours; take it from a process that does not compete. */
static void take_turn(struct dijkstra *d, struct process *self)
{
	for (;;) {
		bool mine = false;

		await_any(pass) {
			uint64_t v, f;

D1:			v = look(pass, &d->turn);
			mine = v == self->id;
			if (mine)
				break;
			/* A turn that is out of range can only come from
			 * damage. */
			if (v >= self->shape->n)
				break;
D2:			f = look(pass, &d->desk[v].flag);
			if (f == 0)
				break;
		}
		if (mine)
			return;
D3:		mem_write(&d->turn, self->id);
		mem_wake(&d->turn);
	}
}

static int enter(void *shared, struct process *self)
{
	struct dijkstra *d = shared;

	do {
L:		mem_write(&d->desk[self->id].flag, 1);
		take_turn(d, self);
D4:		mem_write(&d->desk[self->id].flag, 2);
	} while (!alone(d, self));
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct dijkstra *d = shared;

D6:	mem_write(&d->desk[self->id].flag, 0);
	mem_wake(&d->desk[self->id].flag);
}

static unsigned leave_steps(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm dijkstra = {
	.name = "dijkstra",
	.source = "Dijkstra 1965 (Goyal 2021, slides)",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_WAIT_BELOW_K | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.retries = true,
	.limits = { .least_n = 2, .least_k = 1, .most_k = 1 },
	.words = words, .init = init, .quiet = quiet,
	.enter = enter, .leave = leave,
	.bounds = {
		.leave_steps = leave_steps,
		.rmr_cc = { NULL, "unbounded" },
		.rmr_dsm = { NULL, "unbounded" },
	},
};
