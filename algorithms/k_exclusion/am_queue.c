/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * am-queue: k-exclusion that is a counter and a queue; each operation is one
 * large step.  It is the reference with which real algorithms are compared.
 *
 * Idea      A counter holds the number of free places.  A process that finds no
 *           free place joins the queue; a leaver lets in the head of the queue.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 1.
 * Shape     1 <= n <= 15 (the queue is one word of four-bit places), k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           no-lost-wake; prompt-wake; quiescence; invariant
 * Costs     2 words; simulated only
 * Invariant X is k minus the number of processes between lines 1 and 3.  If X
 *           is negative, -X of these processes are in the queue; otherwise the
 *           queue is empty.  No process is in the queue twice.
 */
#include "algorithm.h"

enum { PLACE_BITS = 4, PLACE = 15 }; /* a place holds id + 1; 0: it is empty */

struct am_queue {
	struct word X; /* signed: k-n..k */
	struct word Q; /* the head of the queue is in the lowest place */
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct am_queue);
}

static void init(void *shared, const struct shape *shape)
{
	struct am_queue *q = shared;

	mem_poke(&q->X, shape->k);
	mem_poke(&q->Q, 0);
	mem_name(&q->X, "X");
	mem_name(&q->Q, "Q");
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct am_queue *q = shared;

	return mem_peek(&q->X) == shape->k && mem_peek(&q->Q) == 0;
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct am_queue *q = shared;
	int64_t x = (int64_t)mem_peek(&q->X), queued = 0;
	uint64_t queue = mem_peek(&q->Q), seen = 0;

	(void)all;
	for (; queue; queue >>= PLACE_BITS, queued++) {
		if (seen >> (queue & PLACE) & 1)
			return false;
		seen |= UINT64_C(1) << (queue & PLACE);
	}
	return queued == (x < 0 ? -x : 0) && x <= (int64_t)shape->k;
}

static bool is_queued(uint64_t queue, unsigned id)
{
	while (queue && (queue & PLACE) != id + 1)
		queue >>= PLACE_BITS;
	return queue != 0;
}

/* Returns whether there was no free place. */
static uint64_t take_or_enqueue(void *shared, struct process *self)
{
	struct am_queue *q = shared;
	int64_t x = (int64_t)mem_peek(&q->X);
	uint64_t queue = mem_peek(&q->Q);
	unsigned shift = 0;

	mem_poke(&q->X, (uint64_t)(x - 1));
	if (x > 0)
		return false;
	while (queue >> shift & PLACE)
		shift += PLACE_BITS;
	mem_poke(&q->Q, queue | (uint64_t)(self->id + 1) << shift);
	return true;
}

static uint64_t dequeue_and_give(void *shared, struct process *self)
{
	struct am_queue *q = shared;

	(void)self;
	mem_poke(&q->Q, mem_peek(&q->Q) >> PLACE_BITS);
	mem_poke(&q->X, mem_peek(&q->X) + 1);
	return 0;
}

static int enter(void *shared, struct process *self)
{
	struct am_queue *q = shared;
	uint64_t queue, queued;

L1:	queued = mem_atomic(take_or_enqueue, shared, self);
	doorway_ends(self);
	if (queued)
L2:		await(queue, &q->Q, !is_queued(queue, self->id));
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct am_queue *q = shared;

L3:	mem_atomic(dequeue_and_give, shared, self);
	mem_wake(&q->Q);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm am_queue = {
	.name = "am-queue",
	.source = "Anderson and Moir 1994, Figure 1",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_LARGE_STEP,
	.simulated_only = true,
	.finite_state = true,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .most_n = 15, .least_k = 1 },
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = one_step, .leave_steps = one_step,
		.solo_steps = one_step,
		.rmr_cc = { NULL, "not a real cost: large steps" },
		.rmr_dsm = { NULL, "not a real cost: large steps" },
	},
};
