/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two runs of Danek's thesis, and a third one, through which any group
 * exclusion algorithm can be driven.  They are deterministic and need an open
 * forward run.  Each returns false if there is no memory.
 */
#ifndef ATMOST_CHECKER_DANEK_RUNS_H
#define ATMOST_CHECKER_DANEK_RUNS_H

#include "checker/forward_run.h"

/*
 * Theorem 3.1: p is inside; all others ask for another session and wait until
 * they make no more remote references; then p leaves.  If all of them wait
 * locally in DSM, p has to notify each of them: at least n-1 remote references.
 */
struct exit_cost {
	uint64_t remote;    /* references of the leave of p */
	uint64_t outside;   /* of these, outside of the component */
	uint64_t alone;     /* most steps that a waiter then takes to get in */
	bool entered_early; /* two sessions were inside together */
	bool stuck;         /* a waiter does not get in by itself */
	char waits_on[48];  /* DSM: a remote word that a waiter waits on */
};

bool danek_runs_exit(struct exit_cost *cost);

/*
 * Section 5.1: all processes but p ask for one session, and all of them see the
 * other session of p in their doorways.  How many of them are inside together?
 */
struct batches {
	unsigned count, largest; /* of processes of that session */
	bool stuck;
	char list[96]; /* their sizes, one after the other */
};

bool danek_runs_batches(struct batches *batches);

/*
 * Giving up, which is not in the thesis: two processes wait for one session,
 * and the first of them never looks.  A third process comes with another
 * session and gives up, `times` times.  What does the second one pay, if it
 * looks whenever it may?
 */
struct patience_cost {
	uint64_t remote, outside; /* references of the second process */
	bool entered;             /* it got in before the last time */
};

bool danek_runs_patience(unsigned times, struct patience_cost *cost);

#endif
