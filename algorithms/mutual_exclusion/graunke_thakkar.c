/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graunke-thakkar: a queue in which a process waits until its predecessor's
 * flag flips.
 *
 * Idea      A process puts its id and the present value of its flag at the end
 *           of the queue with one swap.  The swap returns the id and the flag
 *           value of its predecessor.  The process waits until the flag of the
 *           predecessor differs from that value.  A leaver flips its own flag.
 * Source    Graunke and Thakkar, "Synchronization algorithms for shared-memory
 *           multiprocessors", IEEE Computer 23(6), 1990; labels ours
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence; invariant
 * Costs     n + 1 words; CC 5 RMRs for any n and in every cache; DSM unbounded:
 *           a process waits for the flag of its predecessor
 * Invariant A process writes only its own flag, once in a passage.  A process p
 *           that waits for q cannot miss the flip: q flips its flag again only
 *           when it leaves its next passage, and in that passage q enters after
 *           p.
 */
#include "algorithm.h"

struct graunke_thakkar {
	OWN_LINE struct word tail; /* the last process, with its flag at G2 */
	struct desk {
		OWN_LINE struct word flag; /* 0 or 1; its process flips it */
	} desk[];
};

/* The only own word is the value of the process's flag in this passage. */
enum { OWN_FLAG, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct graunke_thakkar) + shape->n * WORDS(struct desk);
}

static uint64_t pair(unsigned process, uint64_t flag)
{
	return (uint64_t)process << 1 | flag;
}

/* Initially process 0 counts as the last process of the queue, and its flag
 * counts as flipped, so that the first arrival need not wait. */
static void init(void *shared, const struct shape *shape)
{
	struct graunke_thakkar *g = shared;

	mem_poke(&g->tail, pair(0, 0));
	mem_name(&g->tail, "tail");
	for (unsigned i = 0; i < shape->n; i++) {
		mem_poke(&g->desk[i].flag, 1);
		mem_place(&g->desk[i].flag, i);
		mem_name(&g->desk[i].flag, "flag", i);
	}
}

/* A process number that is out of range can only come from damage to `tail`; it
 * counts as process 0. */
static struct word *flag_in(struct graunke_thakkar *g,
			    const struct shape *shape, uint64_t tail)
{
	return &g->desk[tail >> 1 < shape->n ? tail >> 1 : 0].flag;
}

static bool has_flipped(struct graunke_thakkar *g, const struct shape *shape)
{
	uint64_t tail = mem_peek(&g->tail);

	return mem_peek(flag_in(g, shape, tail)) != (tail & 1);
}

static bool quiet(void *shared, const struct shape *shape)
{
	return has_flipped(shared, shape);
}

/* The last process of the queue has flipped its flag if and only if no process
 * waits or is inside. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	bool queued = false;

	for (unsigned i = 0; i < shape->n; i++)
		queued |= all[i].phase == PHASE_WAITING ||
			  all[i].phase == PHASE_INSIDE;
	return has_flipped(shared, shape) == !queued;
}

static int enter(void *shared, struct process *self)
{
	struct graunke_thakkar *g = shared;
	uint64_t mine, before, flag;

G1:	mine = mem_read(&g->desk[self->id].flag) & 1;
	mem_own_write(self, OWN_FLAG, mine);
G2:	before = mem_swap(&g->tail, pair(self->id, mine));
	doorway_ends(self);
G3:	await(flag, flag_in(g, self->shape, before), flag != (before & 1));
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct graunke_thakkar *g = shared;
	struct word *flag = &g->desk[self->id].flag;

G4:	mem_write(flag, !mem_own_read(self, OWN_FLAG));
	mem_wake(flag);
}

static unsigned doorway_steps(const struct shape *shape)
{
	(void)shape;
	return 2;
}

static unsigned leave_steps(const struct shape *shape)
{
	(void)shape;
	return 1;
}

/* The remote steps are G1, G2, two reads at G3, and G4. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 5;
}

const struct algorithm graunke_thakkar = {
	.name = "graunke-thakkar",
	.source = "Graunke and Thakkar 1990",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_READ_WRITE | USES_SWAP,
	.finite_state = true,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 1 },
	.words = words, .own_words = own_words, .init = init, .quiet = quiet,
	.invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.rmr_cc = { rmr_cc, "5" },
		.rmr_dsm = { NULL,
			     "unbounded: waits on the predecessor's flag" },
	},
};
