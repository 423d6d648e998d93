/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Depth-first search over all states; it takes transitions back instead of
 * copying states.  Several workers share the set of states seen.  A worker
 * without work gets a schedule that leads to an unexplored branch near the root
 * and replays it.
 */
#ifndef ATMOST_CHECKER_SEARCH_H
#define ATMOST_CHECKER_SEARCH_H

#include "checker/graph.h"
#include "checker/workers.h"

struct search {
	const struct question *question;
	struct workers *workers;
	unsigned worker;
	size_t memory; /* bytes for what it holds and its share of the set */
	/* One worker only: */
	struct graph *graph; /* record all states and transitions */
	bool acyclic;        /* stop with STOP_CYCLE if there is a cycle */
};

/* Run one worker to the end, in a process of its own. */
void search_run(struct search *s, struct seen seen);

#endif
