/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A binary tree of mutexes for two processes each.  Process p climbs from leaf
 * p to the root; at every node on its way it competes for the next level.  On
 * level l the processes p with the same p >> l form a group; at most one
 * process of a group at a time has passed all levels below l.  Groups 2g and 2g
 * + 1 meet at node g of the level.  If a group has no partner, its processes
 * climb to the next level without a contest.
 */
#ifndef ATMOST_ARBITRATION_TREE_H
#define ATMOST_ARBITRATION_TREE_H

#include "algorithm.h"

/* The node at which a process competes, and the side from which the process
 * comes, 0 or 1.  Nodes are numbered level by level, from level 0 up. */
struct contest {
	unsigned node, side;
};

/* Returns the number of groups on a level. */
static inline unsigned tree_groups(const struct shape *shape, unsigned level)
{
	unsigned groups = shape->n;

	for (; level > 0; level--)
		groups = (groups + 1) / 2;
	return groups;
}

/* Returns ceil(log2 n). */
static inline unsigned tree_levels(const struct shape *shape)
{
	unsigned levels = 0;

	while (tree_groups(shape, levels) > 1)
		levels++;
	return levels;
}

static inline unsigned tree_nodes(const struct shape *shape)
{
	return shape->n - 1;
}

/* Returns whether process id has a node on this level; if so, sets *c. */
static inline bool tree_contest(const struct shape *shape, unsigned id,
				unsigned level, struct contest *c)
{
	unsigned group = id >> level, below = 0;

	if ((group ^ 1) >= tree_groups(shape, level))
		return false;
	for (unsigned l = 0; l < level; l++)
		below += tree_groups(shape, l) / 2;
	*c = (struct contest){ below + group / 2, group & 1 };
	return true;
}

#endif
