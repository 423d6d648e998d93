/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The explorer: a breadth-first search over whole states, which are compared
 * byte by byte.  It is slow and uses no optimizations, so that a reader can
 * easily see that it is right.
 */
#ifndef ATMOST_TESTS_EXPLORER_EXPLORE_H
#define ATMOST_TESTS_EXPLORER_EXPLORE_H

#include "state.h"

struct edge {
	uint32_t to;
	uint32_t process;
};

struct node {
	struct state *state;
	unsigned enabled; /* bit p: p can take a step */
	struct edge *edge;
	unsigned edges;
};

struct graph {
	struct node *node;
	uint32_t count, room;
};

struct finding {
	bool too_large;
	unsigned violated;
	uint64_t states;
};

/* Search all states of `program`, with wakes as steps or without.  The search
 * stops if it finds more than most_states states. */
struct finding explore(bool wakes, uint32_t most_states);

#endif
