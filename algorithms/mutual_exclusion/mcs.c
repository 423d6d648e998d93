/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcs: a queue of processes, each of which waits in its own memory.
 *
 * Idea      A process appends itself to the queue with one swap, links itself
 *           behind its predecessor and waits until its own word `locked` is 0.
 *           A leaver clears this word of its successor.
 * Source    Mellor-Crummey and Scott, "Algorithms for scalable synchronization
 *           on shared-memory multiprocessors", ACM TOCS 9(1), 1991; labels ours
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           exit-termination; no-lost-wake; prompt-wake; quiescence; invariant.
 *           Not bounded-leave: a leaver may wait for a successor that has not
 *           linked itself yet.
 * Costs     2n + 1 words; DSM 4 RMRs, CC 10, for any n and in every cache
 * Invariant The processes that wait or are inside form a queue that ends with
 *           the process that `tail` names.  If a process has a predecessor in
 *           this queue, it is linked behind the predecessor, or it has not made
 *           step M4 yet.  Of the processes that have made M3, only the first
 *           process of the queue can have `locked` = 0.
 */
#include "algorithm.h"

struct mcs {
	OWN_LINE struct word tail; /* the last process of the queue + 1, or 0 */
	struct desk {
		OWN_LINE struct word next;   /* the successor + 1, or 0 */
		OWN_LINE struct word locked; /* 1: its process must wait */
	} desk[];
};

static size_t words(const struct shape *shape)
{
	return WORDS(struct mcs) + shape->n * WORDS(struct desk);
}

static void init(void *shared, const struct shape *shape)
{
	struct mcs *m = shared;

	mem_poke(&m->tail, 0);
	mem_name(&m->tail, "tail");
	for (unsigned i = 0; i < shape->n; i++) {
		mem_poke(&m->desk[i].next, 0);
		mem_poke(&m->desk[i].locked, 0);
		mem_place(&m->desk[i].next, i);
		mem_place(&m->desk[i].locked, i);
		mem_name(&m->desk[i].next, "next", i);
		mem_name(&m->desk[i].locked, "locked", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct mcs *m = shared;

	(void)shape;
	return mem_peek(&m->tail) == 0;
}

/* Whether process i is certainly in the queue.  A leaver does not count,
 * because it may already have removed itself from the queue. */
static bool is_queued(const struct whereabouts *all, unsigned i)
{
	return all[i].phase == PHASE_WAITING || all[i].phase == PHASE_INSIDE;
}

/* The queue is empty only if no process is queued.  No two queued processes
 * have the same successor, and every successor is queued itself. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct mcs *m = shared;
	uint64_t tail = mem_peek(&m->tail), next;
	uint64_t successors = 0; /* bits; the checker has at most 12 processes */

	for (unsigned i = 0; i < shape->n; i++) {
		if (!is_queued(all, i))
			continue;
		next = mem_peek(&m->desk[i].next);
		if (!tail || (next && (!is_queued(all, (unsigned)next - 1) ||
				       successors >> next & 1)))
			return false;
		successors |= UINT64_C(1) << next;
	}
	return true;
}

/* Returns the name in a word: id + 1, or 0.  A name that is out of range can
 * only come from damage to the word; it counts as 0. */
static uint64_t name_in(uint64_t word, const struct process *self)
{
	return word <= self->shape->n ? word : 0;
}

static int enter(void *shared, struct process *self)
{
	struct mcs *m = shared;
	struct desk *mine = &m->desk[self->id], *before;
	uint64_t predecessor, locked;

M1:	mem_write(&mine->next, 0);
M2:	predecessor = mem_swap(&m->tail, self->id + 1);
	doorway_ends(self);
	predecessor = name_in(predecessor, self);
	if (!predecessor)
		return 0;
	before = &m->desk[predecessor - 1];
	/* M3 must come before M4: once M4 has linked us, the predecessor may
	 * write 0 to this word at M9. */
M3:	mem_write(&mine->locked, 1);
M4:	mem_write(&before->next, self->id + 1);
	mem_wake(&before->next);
M5:	await(locked, &mine->locked, locked == 0);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct mcs *m = shared;
	struct desk *mine = &m->desk[self->id];
	uint64_t next;
	bool last;

M6:	next = mem_read(&mine->next);
	if (!next) {
M7:		last = mem_cas(&m->tail, self->id + 1, 0);
		if (last)
			return;
		/* A successor has made M2 and is about to make M4. */
M8:		await(next, &mine->next, next != 0);
	}
	next = name_in(next, self);
	if (!next)
		return;
M9:	mem_write(&m->desk[next - 1].locked, 0);
	mem_wake(&m->desk[next - 1].locked);
}

static unsigned doorway_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

/* The remote steps are M2, M4, M7 and M9. */
static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 4;
}

/* The remote steps are M1 to M4, two reads at M5, M6, M7, one read at M8 and
 * M9.  The first read at M8 is not remote, because M6 has left a copy of the
 * word in the cache. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 10;
}

const struct algorithm mcs = {
	.name = "mcs",
	.source = "Mellor-Crummey and Scott 1991",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | EXIT_TERMINATION | BOUNDED_DOORWAY |
		    NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_SWAP | USES_CAS,
	.finite_state = true,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 1 },
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = doorway_steps,
		.rmr_cc = { rmr_cc, "10" },
		.rmr_dsm = { rmr_dsm, "4" },
	},
};
