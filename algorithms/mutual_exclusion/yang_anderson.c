/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * yang-anderson: mutual exclusion from reads and writes, with logarithmic cost
 * in both models.
 *
 * Idea      A tree of mutexes for two processes.  Of two processes that meet at
 *           a node, the one that wrote T last waits, in its own memory.  Before
 *           it waits, it tells its rival that it has written T.  When the rival
 *           leaves the node, it wakes the waiting process.
 * Source    Yang and Anderson, "A fast, scalable mutual exclusion algorithm",
 *           Distributed Computing 9(1), 1995, the algorithm without a fast
 *           path; labels ours
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; no-starvation; no-wait-below-k; bounded-leave;
 *           exit-termination; no-lost-wake; prompt-wake; quiescence; invariant.
 *           There is no doorway, so processes have no order.
 * Costs     3(n-1) + n ceil(log2 n) words; DSM 10 ceil(log2 n) RMRs, CC
 *           13 ceil(log2 n) in every cache
 * Invariant At most one process per side uses a node at a time, and C names the
 *           process of each side that competes or has won.  If the processes of
 *           both sides have passed Y2, T names the one that wrote it last.  A
 *           process passes Y11 only after its rival has made Y13.  After Y9 a
 *           process skips Y11 only if its rival has written T since the process
 *           made Y2.
 */
#include "arbitration_tree.h"

struct node {
	OWN_LINE struct word C[2]; /* id + 1 of the competitor of each side, or 0 */
	OWN_LINE struct word T;    /* id + 1 of the process that wrote T last, or 0 */
};

/* The word on which a process waits: 0 until its rival tells it something; 1:
 * the rival has written T; 2: the rival has left the node. */
struct line {
	OWN_LINE struct word P;
};

/* The words are n-1 nodes and then, for every process, one P per level. */
static size_t words(const struct shape *shape)
{
	return tree_nodes(shape) * WORDS(struct node) +
	       shape->n * tree_levels(shape) * WORDS(struct line);
}

/* Returns P of the process on the level.  One P for all levels would not do: a
 * late rival from one level may still write P while the process already waits
 * on another level. */
static struct word *spin_word(void *shared, const struct shape *shape,
			      unsigned process, unsigned level)
{
	struct node *node = shared;
	struct line *line = (struct line *)(void *)(node + tree_nodes(shape));

	return &line[process * tree_levels(shape) + level].P;
}

static void init(void *shared, const struct shape *shape)
{
	struct node *node = shared;

	for (unsigned i = 0; i < tree_nodes(shape); i++, node++) {
		mem_poke(&node->C[0], 0);
		mem_poke(&node->C[1], 0);
		mem_poke(&node->T, 0);
		mem_name(&node->C[0], "C", i, 0);
		mem_name(&node->C[1], "C", i, 1);
		mem_name(&node->T, "T", i);
	}
	for (unsigned p = 0; p < shape->n; p++) {
		for (unsigned l = 0; l < tree_levels(shape); l++) {
			struct word *P = spin_word(shared, shape, p, l);

			mem_poke(P, 0);
			mem_place(P, p);
			mem_name(P, "P", p, l);
		}
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct node *node = shared;

	for (unsigned i = 0; i < tree_nodes(shape); i++, node++)
		if (mem_peek(&node->C[0]) != 0 || mem_peek(&node->C[1]) != 0)
			return false;
	return true;
}

/* At every node on its way to the root, C names the process inside. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct node *node = shared;
	struct contest c;

	for (unsigned p = 0; p < shape->n; p++)
		for (unsigned l = 0; l < tree_levels(shape); l++)
			if (all[p].phase == PHASE_INSIDE &&
			    tree_contest(shape, p, l, &c) &&
			    mem_peek(&node[c.node].C[c.side]) != p + 1)
				return false;
	return true;
}

/* Returns the name in a word: id + 1, or 0.  A name that is out of range can
 * only come from damage to the word; it counts as 0. */
static uint64_t name_in(uint64_t word, const struct process *self)
{
	return word <= self->shape->n ? word : 0;
}

/* At Y5, we were the last writer of T.  `mine` is our P on this level, `theirs`
 * is the rival's. */
static void wait_for_rival(struct node *node, struct process *self,
			   struct word *mine, struct word *theirs)
{
	uint64_t v;

	/* The rival may be waiting at Y9 because it read T before we wrote it.
	 * Y8 makes the rival read T again. */
Y7:	v = mem_read(theirs);
	if (v == 0) {
Y8:		mem_write(theirs, 1);
		mem_wake(theirs);
	}
Y9:	await(v, mine, v != 0);
Y10:	v = mem_read(&node->T);
	if (v == self->id + 1)
Y11:		await(v, mine, v >= 2);
}

static void node_enter(void *shared, struct process *self, unsigned level,
		       struct contest c)
{
	struct node *node = (struct node *)shared + c.node;
	struct word *mine = spin_word(shared, self->shape, self->id, level);
	uint64_t rival, last;

Y1:	mem_write(&node->C[c.side], self->id + 1);
Y2:	mem_write(&node->T, self->id + 1);
Y3:	mem_write(mine, 0);
Y4:	rival = mem_read(&node->C[!c.side]);
	rival = name_in(rival, self);
	if (!rival)
		return;
Y5:	last = mem_read(&node->T);
	if (last != self->id + 1)
		return;
	wait_for_rival(node, self, mine,
		       spin_word(shared, self->shape, (unsigned)rival - 1,
				 level));
}

static void node_leave(void *shared, struct process *self, unsigned level,
		       struct contest c)
{
	struct node *node = (struct node *)shared + c.node;
	struct word *theirs;
	uint64_t last;

Y12:	mem_write(&node->C[c.side], 0);
Y13:	last = mem_read(&node->T);
	last = name_in(last, self);
	if (!last || last == self->id + 1)
		return;
	theirs = spin_word(shared, self->shape, (unsigned)last - 1, level);
Y14:	mem_write(theirs, 2);
	mem_wake(theirs);
}

static int enter(void *shared, struct process *self)
{
	struct contest c;

	for (unsigned l = 0; l < tree_levels(self->shape); l++)
		if (tree_contest(self->shape, self->id, l, &c))
			node_enter(shared, self, l, c);
	return 0;
}

/* We leave the nodes from the root down.  In this order no other process of our
 * side can come to a node before we have left it: that process must first pass
 * a lower node, which we still hold. */
static void leave(void *shared, struct process *self)
{
	struct contest c;

	for (unsigned l = tree_levels(self->shape); l-- > 0;)
		if (tree_contest(self->shape, self->id, l, &c))
			node_leave(shared, self, l, c);
}

static unsigned leave_steps(const struct shape *shape)
{
	return 3 * tree_levels(shape);
}

/* The remote steps on each level are Y1, Y2, Y4, Y5, Y7, Y8, Y10, Y12, Y13 and
 * Y14. */
static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 10 * (uint64_t)tree_levels(shape);
}

/* The remote steps on each level are Y1 to Y5, Y7, Y8, Y12, Y13, Y14 and at
 * most three reads at Y9, Y10 and Y11 together.  If a process needs three
 * remote reads for P, with the results 0, 1 and 2, then it still has the copy
 * of T from Y5, and Y10 is not remote. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 13 * (uint64_t)tree_levels(shape);
}

const struct algorithm yang_anderson = {
	.name = "yang-anderson",
	.source = "Yang and Anderson 1995",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | NO_WAIT_BELOW_K |
		    BOUNDED_LEAVE | EXIT_TERMINATION | NO_LOST_WAKE |
		    PROMPT_WAKE | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE,
	.finite_state = true,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 1 },
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.leave_steps = leave_steps,
		.rmr_cc = { rmr_cc, "13 ceil(log2 n)" },
		.rmr_dsm = { rmr_dsm, "10 ceil(log2 n)" },
	},
};
