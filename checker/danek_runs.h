/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes three runs from Danek's thesis, and a fourth run, for any group
 * exclusion algorithm.  The runs are deterministic.  The caller opens the
 * instance with forward_run_open.  Each function returns false if there is no
 * memory.
 */
#ifndef ATMOST_CHECKER_DANEK_RUNS_H
#define ATMOST_CHECKER_DANEK_RUNS_H

#include "checker/forward_run.h"

/*
 * Theorem 3.1: process p is inside.  All other processes ask for another
 * session and wait until they make no more remote references.  Then p leaves.
 * If all waiters wait locally in DSM, p must notify each of them, which takes
 * at least n-1 remote references.
 */
struct exit_cost {
	uint64_t remote;    /* remote references of p while it leaves */
	uint64_t outside;   /* those to words outside the component */
	uint64_t alone;     /* the most steps that a waiter needs */
	bool entered_early; /* two sessions were inside together */
	bool stuck;         /* a waiter that runs alone does not enter */
	char waits_on[48];  /* DSM: a remote word that a waiter waits on */
};

bool danek_runs_exit(struct exit_cost *cost);

/*
 * Section 5.1: process p asks for one session, and all other processes ask for
 * another session.  Each of the others sees in its doorway that p asks for the
 * first session.  How many of the others are inside together?
 */
struct batches {
	unsigned count, largest; /* number of batches; size of the largest */
	bool stuck;
	char list[96]; /* the sizes of the batches */
};

bool danek_runs_batches(struct batches *batches);

/*
 * Section 6.1.3: one after the other, all processes but two enter and stop
 * after the first step of leaving.  Of the two, one enters with the same
 * session, and the other waits for another session.  Then the stopped processes
 * leave, one after the other, and the waiter takes a look after every step of
 * theirs.  How many remote references does the waiter make?
 */
struct accumulated_cost {
	/* remote references of the waiter, and how many of them are to words
	 * outside the component */
	uint64_t remote, outside;
	bool entered; /* the waiter entered, which ended the run */
};

bool danek_runs_accumulate(struct accumulated_cost *cost);

/*
 * The fourth run, which is not in the thesis: two processes wait for one
 * session, and the first of them makes no more steps.  A third process asks for
 * another session and gives up, and repeats this `times` times.  The second
 * process looks whenever it can.  How many remote references does the second
 * process make?
 */
struct patience_cost {
	/* remote references of the second process, and how many of them are to
	 * words outside the component */
	uint64_t remote, outside;
	bool entered; /* the second process entered, which ended the run */
};

bool danek_runs_patience(unsigned times, struct patience_cost *cost);

#endif
