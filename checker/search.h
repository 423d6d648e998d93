/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Depth-first search over all states, undoing instead of copying.  Several
 * workers share the set of states seen; one that has nothing left is given the
 * schedule of an unexplored branch near the root and replays it.
 */
#ifndef ATMOST_CHECKER_SEARCH_H
#define ATMOST_CHECKER_SEARCH_H

#include "checker/control.h"
#include "checker/expand.h"
#include "checker/graph.h"

struct search {
	const struct question *question;
	struct control *control;
	unsigned worker;
	size_t memory; /* bytes for all it holds, and its share of the rest */
	/* One worker only: */
	struct graph *graph; /* record all states and edges */
	bool straight;       /* stop with STOP_CYCLE if there is a cycle */
};

/* Run one worker to the end; in a process of its own. */
void search_run(struct search *s, struct seen seen);

#endif
