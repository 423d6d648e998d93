/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A task is work done by worker processes while this process waits for them.
 * If a worker crashes or overflows a simulated stack, the program reports this
 * and goes on.
 */
#ifndef ATMOST_CHECKER_TASK_H
#define ATMOST_CHECKER_TASK_H

#include "checker/workers.h"

#include <sys/types.h>

enum task_kind {
	TASK_SEARCH,  /* all states */
	TASK_ACYCLIC, /* all states; STOP_CYCLE at the first cycle */
	TASK_GRAPH,   /* all states, then fair cycles */
	/* all states that differ in more than their counters, then fair
	 * cycles */
	TASK_CANONICAL,
	TASK_RANDOM, /* random schedules */
	TASK_SHORTEN /* a shorter schedule for a violation */
};

struct task {
	enum task_kind kind;
	const struct question *question;
	struct workers *workers;
	struct seen seen;
	pid_t parent, child[MAX_WORKERS];
	unsigned alive;
	double started, deadline;
	size_t memory;
	/* TASK_RANDOM */
	uint64_t seed;
	unsigned depth;
	/* TASK_SHORTEN */
	unsigned property;
	double shorten_seconds;
};

/* Returns false if the task could not start; workers->message then says why. */
bool task_start(struct task *t, unsigned count);

/* Wait at most `seconds` seconds.  Returns false if all workers have ended. */
bool task_wait(struct task *t, double seconds);

/* End the workers that still run. */
void task_end(struct task *t);

#endif
