/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two runs of Danek's thesis, through which any group exclusion can be driven.
 * Both are deterministic, and need an open crowd.
 */
#ifndef ATMOST_CHECKER_THESIS_H
#define ATMOST_CHECKER_THESIS_H

#include "checker/crowd.h"

/*
 * Theorem 3.1: p is inside, all others ask for another session and wait until
 * they make no more remote references; then p leaves.  Where everybody waits
 * locally in DSM, p has to tell each of them: n-1 remote references at least.
 */
struct exit_cost {
	uint64_t remote, outside; /* of p's leaving; not of the component */
	uint64_t alone;           /* most steps that one takes to get in then */
	bool entered_early;       /* two sessions were inside */
	bool stuck;               /* somebody does not get in by itself */
	char waits_on[48];        /* DSM: a remote word that is waited for */
};

/* False: no memory. */
bool thesis_exit(struct exit_cost *cost);

/*
 * Section 5.1: all but p ask for one session, and all meet p's other session in
 * their doorways.  How many of them are inside together?
 */
struct batches {
	unsigned count, largest; /* of those who came with one session */
	bool stuck;
	char list[96]; /* their sizes, one after the other */
};

bool thesis_batches(struct batches *batches);

/*
 * Giving up, which the thesis has not: of three, two wait with one session, the
 * first of them never looks, and a third comes with another session and gives up
 * again and again.  What does the second pay, who looks each time it may?
 */
struct patience_cost {
	uint64_t remote, outside; /* of the one who looks */
	bool entered;             /* it got in before the last time */
};

bool thesis_patience(unsigned times, struct patience_cost *cost);

#endif
