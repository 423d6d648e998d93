/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * peterson-tree: mutual exclusion from reads and writes, with logarithmic cost
 * in cache-coherent memory.
 *
 * Idea      A tree of Peterson's mutexes for two processes.  At a node a
 *           process raises the flag of its side and gives way: it writes its
 *           side to `turn`.  Then it waits until the flag of the other side is
 *           down, or until its rival has given way after it.
 * Source    Peterson, "Myths about the mutual exclusion problem", IPL 12(3),
 *           1981; the tree is that of Peterson and Fischer, STOC 1977; labels
 *           ours
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; no-starvation; no-wait-below-k; bounded-leave;
 *           exit-termination; no-lost-wake; prompt-wake; quiescence; invariant.
 *           There is no doorway, so processes have no order.
 * Costs     3(n-1) words; CC 7 ceil(log2 n) RMRs in every cache; DSM unbounded:
 *           a process waits on words of a node, which belong to no process
 * Invariant A process that has passed a node keeps its flag up until it leaves
 *           the node.  While both flags of a node are up, `turn` names the side
 *           that wrote it last, and the process of that side does not pass.
 */
#include "arbitration_tree.h"

struct node {
	OWN_LINE struct word flag[2]; /* 1: a process of this side competes */
	OWN_LINE struct word turn;    /* the side that gave way last */
};

static size_t words(const struct shape *shape)
{
	return tree_nodes(shape) * WORDS(struct node);
}

static void init(void *shared, const struct shape *shape)
{
	struct node *node = shared;

	for (unsigned i = 0; i < tree_nodes(shape); i++, node++) {
		mem_poke(&node->flag[0], 0);
		mem_poke(&node->flag[1], 0);
		mem_poke(&node->turn, 0);
		mem_name(&node->flag[0], "flag", i, 0);
		mem_name(&node->flag[1], "flag", i, 1);
		mem_name(&node->turn, "turn", i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct node *node = shared;

	for (unsigned i = 0; i < tree_nodes(shape); i++, node++)
		if (mem_peek(&node->flag[0]) != 0 ||
		    mem_peek(&node->flag[1]) != 0)
			return false;
	return true;
}

/* The process inside has its flag up at every node on its way to the root. */
static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct node *node = shared;
	struct contest c;

	for (unsigned p = 0; p < shape->n; p++)
		for (unsigned l = 0; l < tree_levels(shape); l++)
			if (all[p].phase == PHASE_INSIDE &&
			    tree_contest(shape, p, l, &c) &&
			    mem_peek(&node[c.node].flag[c.side]) == 0)
				return false;
	return true;
}

static void node_enter(struct node *node, unsigned side)
{
	uint64_t flag, turn;

P1:	mem_write(&node->flag[side], 1);
P2:	mem_write(&node->turn, side);
	mem_wake(&node->turn);
	await_any(pass) {
P3:		flag = look(pass, &node->flag[!side]);
		if (flag == 0)
			break;
P4:		turn = look(pass, &node->turn);
		if (turn != side)
			break;
	}
}

static void node_leave(struct node *node, unsigned side)
{
P5:	mem_write(&node->flag[side], 0);
	mem_wake(&node->flag[side]);
}

static int enter(void *shared, struct process *self)
{
	struct node *node = shared;
	struct contest c;

	for (unsigned l = 0; l < tree_levels(self->shape); l++)
		if (tree_contest(self->shape, self->id, l, &c))
			node_enter(&node[c.node], c.side);
	return 0;
}

/* We leave the nodes from the root down.  In this order no other process of our
 * side can come to a node before we have left it: that process must first pass
 * a lower node, which we still hold. */
static void leave(void *shared, struct process *self)
{
	struct node *node = shared;
	struct contest c;

	for (unsigned l = tree_levels(self->shape); l-- > 0;)
		if (tree_contest(self->shape, self->id, l, &c))
			node_leave(&node[c.node], c.side);
}

static unsigned leave_steps(const struct shape *shape)
{
	return tree_levels(shape);
}

/*
 * The remote steps on each level are P1, P2, P5 and at most four reads at P3
 * and P4.  A process waits only after it has read both words.  After that, the
 * rival writes at most three times: its flag when the rival leaves, its flag
 * when the rival comes back, and then `turn`.  If the process has not seen the
 * flag down, it reads the flag once more and then `turn`.
 */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 7 * (uint64_t)tree_levels(shape);
}

const struct algorithm peterson_tree = {
	.name = "peterson-tree",
	.source = "Peterson 1981; Peterson and Fischer 1977",
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
		.rmr_cc = { rmr_cc, "7 ceil(log2 n)" },
		.rmr_dsm = { NULL, "unbounded: waits on words of a node" },
	},
};
