/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a depth-first search over all states.  The search takes transitions
 * back and does not copy states.  Several workers share the set of states seen.
 * A worker without work gets a schedule from another worker and replays it; the
 * schedule leads to an unexplored branch near the root.
 */
#ifndef ATMOST_CHECKER_SEARCH_H
#define ATMOST_CHECKER_SEARCH_H

#include "checker/graph.h"
#include "checker/workers.h"

struct search {
	const struct question *question;
	struct workers *workers;
	unsigned worker;
	/* limit in bytes for the worker's own memory and its share of the set
	 * of states */
	size_t memory;
	/* The next two fields require a single worker. */
	struct graph *graph; /* if not NULL: records states and transitions */
	bool acyclic;        /* stop with STOP_CYCLE if there is a cycle */
};

/* Run one worker to its end.  Each worker is a process of its own. */
void search_run(struct search *s, struct seen seen);

#endif
