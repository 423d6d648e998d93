/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Work done by child processes while this one waits and watches: a crash or an
 * overflowing stack is then a message, not the end of the program.
 */
#ifndef ATMOST_CHECKER_RUN_H
#define ATMOST_CHECKER_RUN_H

#include "checker/control.h"

#include <sys/types.h>

enum errand_kind {
	RUN_SEARCH,   /* all states */
	RUN_STRAIGHT, /* the same, unless there is a cycle */
	RUN_GRAPH,    /* all states, then fair cycles */
	RUN_RANDOM,
	RUN_SHORTEN
};

struct run {
	enum errand_kind kind;
	const struct question *question;
	struct control *control;
	struct seen seen;
	pid_t parent, child[MAX_WORKERS];
	unsigned alive;
	double started, deadline;
	size_t memory;
	/* random */
	uint64_t seed;
	unsigned depth;
	/* shorten */
	unsigned property;
	double shorten_seconds;
};

/* False: could not start; control->message says why. */
bool run_start(struct run *r, unsigned workers);

/* Wait at most so long; false: all is done. */
bool run_wait(struct run *r, double seconds);

void run_end(struct run *r);

#endif
