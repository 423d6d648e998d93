/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * queue-mutex: an abortable mutex that is a queue; each operation is one large
 * step.  It is the reference with which real algorithms are compared.
 *
 * Idea      A process appends itself to the queue.  The process at the head is
 *           inside.  A process that leaves or gives up removes itself.
 * Source    the specification itself; labels ours
 * Shape     k = 1, 1 <= n <= 15 (the queue is one word of four-bit places)
 * Promises  at-most-k; fcfs; fife; no-starvation; no-wait-below-k;
 *           bounded-doorway; bounded-leave; exit-termination; bounded-abort;
 *           no-lost-wake; prompt-wake; quiescence; invariant
 * Costs     1 word; simulated only
 * Invariant The queue contains no process twice, and the process inside is its
 *           head.
 */
#include "algorithm.h"

enum { PLACE_BITS = 4, PLACE = 15 }; /* a place holds id + 1; 0: it is empty */

struct queue_mutex {
	struct word queue; /* the head of the queue is in the lowest place */
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct queue_mutex);
}

static void init(void *shared, const struct shape *shape)
{
	struct queue_mutex *m = shared;

	(void)shape;
	mem_poke(&m->queue, 0);
	mem_name(&m->queue, "queue");
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct queue_mutex *m = shared;

	(void)shape;
	return mem_peek(&m->queue) == 0;
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct queue_mutex *m = shared;
	uint64_t queue = mem_peek(&m->queue), seen = 0;

	for (unsigned i = 0; i < shape->n; i++)
		if (all[i].phase == PHASE_INSIDE && (queue & PLACE) != i + 1)
			return false;
	for (; queue; queue >>= PLACE_BITS) {
		if (seen >> (queue & PLACE) & 1)
			return false;
		seen |= UINT64_C(1) << (queue & PLACE);
	}
	return true;
}

static uint64_t append(void *shared, struct process *self)
{
	struct queue_mutex *m = shared;
	uint64_t queue = mem_peek(&m->queue);
	unsigned shift = 0;

	while (queue >> shift & PLACE)
		shift += PLACE_BITS;
	mem_poke(&m->queue, queue | (uint64_t)(self->id + 1) << shift);
	return 0;
}

static uint64_t withdraw(void *shared, struct process *self)
{
	struct queue_mutex *m = shared;
	uint64_t queue = mem_peek(&m->queue), kept = 0;

	for (unsigned shift = 0; queue; queue >>= PLACE_BITS) {
		if ((queue & PLACE) == self->id + 1)
			continue;
		kept |= (queue & PLACE) << shift;
		shift += PLACE_BITS;
	}
	mem_poke(&m->queue, kept);
	return 0;
}

static bool doorway(void *shared, struct process *self)
{
Q1:	mem_atomic(append, shared, self);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct queue_mutex *m = shared;
	uint64_t queue;

Q2:	queue = mem_read(&m->queue);
	if ((queue & PLACE) == self->id + 1)
		return true;
	wait_for_change(wait, &m->queue, queue);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct queue_mutex *m = shared;

Q3:	mem_atomic(withdraw, shared, self);
	mem_wake(&m->queue);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm queue_mutex = {
	.name = "queue-mutex",
	.source = "specification",
	.kind = KIND_ABORTABLE,
	.promises = AT_MOST_K | FCFS | FIFE | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE | INVARIANT,
	.primitives = USES_LARGE_STEP,
	.simulated_only = true,
	.finite_state = true,
	.limits = { .least_n = 1, .most_n = 15, .least_k = 1, .most_k = 1 },
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = leave,
	.bounds = {
		.doorway_steps = one_step, .leave_steps = one_step,
		.abort_steps = one_step, .solo_steps = one_step,
		.rmr_cc = { NULL, "not a real cost: large steps" },
		.rmr_dsm = { NULL, "not a real cost: large steps" },
	},
};
