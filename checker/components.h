/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds strongly connected components of a part of the state graph. */
#ifndef ATMOST_CHECKER_COMPONENTS_H
#define ATMOST_CHECKER_COMPONENTS_H

#include "checker/graph.h"

/*
 * A part of the graph.  If process >= 0, the part consists of the states in
 * which this process is busy and has all flags of `flags`.  Within this part,
 * the process never enters and never completes a leave.  If process == -1, the
 * part consists of all states, without the edges by which a process enters or
 * completes a leave.
 */
struct part {
	int process;
	uint64_t flags;
	/* a process may stay inside for ever without having crashed */
	bool stays_inside;
};

/* The states of a component are member[0..count-1]. */
struct component {
	const uint32_t *member;
	uint32_t count;
	uint64_t steps; /* processes that step in the component */
	uint64_t bound; /* processes that could step in every state */
	uint64_t busy;  /* processes that are busy in every state */
};

/*
 * Find a component of the part for which fair() holds, by Tarjan's algorithm
 * without recursion.  Returns false if there is no such component or no memory;
 * if there is no memory, *members is NULL.  The caller frees *members, the
 * array into which found->member points.
 */
bool components_find(const struct graph *g, struct part part,
		     bool (*fair)(const struct graph *, struct part, unsigned,
				  const struct component *),
		     unsigned crashes, struct component *found,
		     uint32_t **members);

/* Returns whether p need not step in this state, so that a run in which p does
 * not step is fair. */
bool components_is_excused(const struct graph *g, struct part part, uint32_t s,
			   unsigned p);

/* Returns whether an edge belongs to the part. */
bool components_edge_in_part(const struct graph *g, struct part part,
			     uint32_t from, const struct graph_edge *e);

#endif
