/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stores the whole state graph in memory, for questions about infinite runs.
 * States are numbered from 0, the initial state, in the order of their
 * discovery.  If the algorithm naps, the graph distinguishes more states than
 * the search counts (world_pass_hash).
 */
#ifndef ATMOST_CHECKER_GRAPH_H
#define ATMOST_CHECKER_GRAPH_H

#include "checker/transition.h"

#define NO_EDGES UINT64_MAX

/* The flags of one process in a state: two bits for its phase, and whether it
 * is enabled, is leaving and has a free way. */
enum {
	CLASS_REMAINDER = 0,
	CLASS_INSIDE = 1,
	CLASS_BUSY = 2, /* all other phases: world_is_busy */
	CLASS_MASK = 3,
	FLAG_ENABLED = 4,
	FLAG_LEAVING = 8,
	FLAG_FREE_WAY = 16, /* monitor_has_free_way */
	FLAG_BITS = 5
};
_Static_assert(FLAG_BITS *LAB_MAX_N <= 64, "a state has one word of flags");

struct graph_edge {
	uint32_t target;
	struct choice choice;
	uint8_t last; /* 1: it is the last edge of its state */
};

struct graph {
	uint64_t most_states, most_edges, slots;
	uint64_t *fingerprint; /* hash table of `slots` entries; 0: empty */
	uint32_t *number;      /* number[i] is the state with fingerprint[i] */
	uint64_t *first;       /* first[s]: first edge of s, or NO_EDGES */
	uint64_t *flags;       /* flags[s]: FLAG_BITS bits per process */
	struct graph_edge *edge;
	uint64_t states, edges;
	uint32_t current; /* the state that graph_add_state added last */
	unsigned n;
};

/* Returns NULL if there is no memory. */
struct graph *graph_open(size_t memory);
void graph_close(struct graph *g);
bool graph_full(const struct graph *g);
uint64_t graph_bytes(const struct graph *g);

/* Record the current state of w, which the search has just expanded.  The
 * caller then adds the transitions of this state with graph_add_edge. */
void graph_add_state(struct graph *g, const struct world *w,
		     uint64_t fingerprint, uint64_t enabled);

/*
 * Record a transition to the state with this fingerprint.  Returns the number
 * of that state.  If the state is new, its number is the number of states
 * before the call.
 */
uint32_t graph_add_edge(struct graph *g, struct choice choice,
			uint64_t fingerprint);

static inline uint64_t graph_class(const struct graph *g, uint32_t s,
				   unsigned p)
{
	return g->flags[s] >> p * FLAG_BITS & CLASS_MASK;
}

static inline bool graph_enabled(const struct graph *g, uint32_t s, unsigned p)
{
	return g->flags[s] >> p * FLAG_BITS & FLAG_ENABLED;
}

#endif
