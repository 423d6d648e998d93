/* SPDX-License-Identifier: BSD-2-Clause */
/* The state graph in memory, and its strongly connected components. */
#ifndef ATMOST_CHECKER_COMPONENTS_H
#define ATMOST_CHECKER_COMPONENTS_H

#include "checker/graph.h"

enum { MAX_EDGES_A_STATE = 512 };
#define NO_EDGES UINT64_MAX

/* Where a process is in a state, two bits, and whether it is enabled. */
enum {
	CLASS_REMAINDER = 0,
	CLASS_TRYING = 1,
	CLASS_INSIDE = 2,
	CLASS_LEAVING = 3,
	CLASS_MASK = 3,
	FLAG_ENABLED = 4,
	FLAG_BITS = 3
};

struct graph_edge {
	uint32_t target;
	struct choice choice;
	uint8_t last; /* of its state */
};

struct graph {
	uint64_t most_states, most_edges, slots;
	uint64_t *fingerprint;
	uint32_t *number; /* of the state with the fingerprint beside it */
	uint64_t *first;  /* of each state's edges */
	uint64_t *flags;
	struct graph_edge *edge;
	uint64_t states, edges;
	uint32_t current;
	unsigned n;
};

/* Which states and edges belong to the part that is looked at. */
struct part {
	int process; /* it never gets in: stays trying or leaving.  -1: nobody
			 does: no edge enters, or completes a leave */
};

/* One component: its states are member[0..count-1]. */
struct component {
	const uint32_t *member;
	uint32_t count;
	uint64_t steps; /* processes that step inside it */
	uint64_t bound; /* processes that could step in all of its states */
	uint64_t busy;  /* processes trying or leaving in all of its states */
};

/*
 * Tarjan's algorithm, without recursion, over a part of the graph; stops at
 * the first component for which fair() holds.  False: there is none, or, with
 * members NULL, no memory to find out.
 */
bool components_find(const struct graph *g, struct part part,
		     bool (*fair)(const struct graph *, struct part, unsigned,
				  const struct component *),
		     unsigned crashes, struct component *found,
		     uint32_t **members);

bool components_in_part(const struct graph *g, struct part part,
			uint32_t state);
bool components_edge_in_part(const struct graph *g, struct part part,
			     uint32_t from, const struct graph_edge *e);

static inline uint64_t state_class(const struct graph *g, uint32_t s,
				   unsigned p)
{
	return g->flags[s] >> p * FLAG_BITS & CLASS_MASK;
}

static inline bool state_enabled(const struct graph *g, uint32_t s, unsigned p)
{
	return g->flags[s] >> p * FLAG_BITS & FLAG_ENABLED;
}

/* The edges of a state that has none do not begin anywhere. */
static inline bool has_edges(const struct graph *g, uint32_t s)
{
	return g->first[s] != NO_EDGES;
}

#endif
