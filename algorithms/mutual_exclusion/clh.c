/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clh: a queue of nodes, in which a process waits for its predecessor's node.
 *
 * Idea      A process marks its node busy, appends the node to the queue with
 *           one swap, and waits until its predecessor's node is no longer busy.
 *           A leaver clears its own node and leaves it to its successor.  In
 *           its next passage it uses the node of its predecessor.
 * Source    Craig, "Building FIFO and priority-queuing spin locks from atomic
 *           swap", TR 93-02-02, University of Washington, 1993; Magnusson,
 *           Landin and Hagersten, "Queue locks on cache coherent
 *           multiprocessors", IPPS 1994; labels ours
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence; invariant
 * Costs     n + 2 words; CC 5 RMRs for any n and in every cache; DSM unbounded:
 *           the predecessor's node may be in any process's memory
 * Invariant There are n + 1 nodes: each process has one, which its own words
 *           name, and one is spare.  While no process waits or is inside,
 *           `tail` names the spare node.  Otherwise `tail` names the node of
 *           the last process in the queue; the node before the first process
 *           is the spare one, and every other process waits for the node of
 *           its predecessor.  So no two processes have the same node, and no
 *           two wait for the same node.  A node is busy while the process
 *           that has it is between C1 and C4.
 */
#include "algorithm.h"

struct clh {
	OWN_LINE struct word tail; /* the node at the end of the queue */
	struct node {
		OWN_LINE struct word busy; /* 1: its process has not left */
	} node[];
};

/*
 * OWN_NODE is the number of the process's node + 1; it keeps its value from
 * passage to passage.  0 stands for the process's initial node, whose number is
 * the process's id.  OWN_BEFORE is the number of the predecessor's node.
 */
enum { OWN_NODE, OWN_PERSISTENT, OWN_BEFORE = OWN_PERSISTENT, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PERSISTENT;
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct clh) + (shape->n + 1) * WORDS(struct node);
}

static void init(void *shared, const struct shape *shape)
{
	struct clh *c = shared;

	mem_poke(&c->tail, shape->n);
	mem_name(&c->tail, "tail");
	for (unsigned i = 0; i <= shape->n; i++) {
		mem_poke(&c->node[i].busy, 0);
		if (i < shape->n)
			mem_place(&c->node[i].busy, i);
		mem_name(&c->node[i].busy, "busy", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct clh *c = shared;

	for (unsigned i = 0; i <= shape->n; i++)
		if (mem_peek(&c->node[i].busy) != 0)
			return false;
	return true;
}

/* Every process that waits or is inside has one busy node; a process in its
 * doorway may have one, too.  The node that `tail` names is busy if and only if
 * a process waits or is inside. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct clh *c = shared;
	uint64_t tail = mem_peek(&c->tail), busy = 0, queued = 0, coming = 0;

	for (unsigned i = 0; i < shape->n; i++) {
		queued += all[i].phase == PHASE_WAITING ||
			  all[i].phase == PHASE_INSIDE;
		coming += all[i].phase == PHASE_DOORWAY;
	}
	for (unsigned i = 0; i <= shape->n; i++)
		busy += mem_peek(&c->node[i].busy);
	return tail <= shape->n && busy >= queued && busy <= queued + coming &&
	       (mem_peek(&c->node[tail].busy) != 0) == (queued > 0);
}

/* A node number that is out of range can only come from damage to a word; it
 * counts as node 0. */
static struct word *busy_word(struct clh *c, const struct process *self,
			      uint64_t node)
{
	return &c->node[node <= self->shape->n ? node : 0].busy;
}

static uint64_t own_node(const struct process *self)
{
	uint64_t node = mem_own_read(self, OWN_NODE);

	return node ? node - 1 : self->id;
}

static int enter(void *shared, struct process *self)
{
	struct clh *c = shared;
	uint64_t before, busy;

	/* C1 must come before C2: after C2 a successor may read the node. */
C1:	mem_write(busy_word(c, self, own_node(self)), 1);
C2:	before = mem_swap(&c->tail, own_node(self));
	mem_own_write(self, OWN_BEFORE, before);
	doorway_ends(self);
C3:	await(busy, busy_word(c, self, before), busy == 0);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct clh *c = shared;
	struct word *mine = busy_word(c, self, own_node(self));

	/* From C4 on we must not use our node again, because our successor
	 * takes it over.  We take the node of our predecessor instead: no other
	 * process reads it any more. */
	mem_own_write(self, OWN_NODE, mem_own_read(self, OWN_BEFORE) + 1);
C4:	mem_write(mine, 0);
	mem_wake(mine);
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

/* The remote steps are C1, C2, two reads at C3, and C4. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 5;
}

const struct algorithm clh = {
	.name = "clh",
	.source = "Craig 1993; Magnusson, Landin and Hagersten 1994",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_READ_WRITE | USES_SWAP,
	.finite_state = true,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 1 },
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent,
	.init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.rmr_cc = { rmr_cc, "5" },
		.rmr_dsm = { NULL,
			     "unbounded: waits on the predecessor's node" },
	},
};
