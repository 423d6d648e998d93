/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The adversary `late` delays leavers just before a compare-and-swap and lets
 * them go on when it is too late: each of them then fails, one after another,
 * at a word on which other processes wait.  If a failed compare-and-swap
 * invalidates copies, each failure costs each of these waiters a remote
 * reference.
 */
#ifndef ATMOST_CHECKER_LATE_H
#define ATMOST_CHECKER_LATE_H

#include "checker/forward_run.h"

struct late {
	struct forward_run *run;
	unsigned *delayed; /* the delayed leavers, in order of their arrival */
	unsigned count;    /* the number of delayed leavers */
	/* waits[w]: how many times a process that fell asleep had read word w
	 * in its pass */
	uint32_t *waits;
	uint32_t target; /* the word of the delayed steps; NO_WORD: none yet */
	uint32_t best;   /* the word that will be the next target */
	uint64_t choose_at; /* the step at which the next target is chosen */
	int victim;         /* the waiter that paid for the last volley for one
			       waiter, until its passage ends; otherwise -1 */
	unsigned volleys;   /* how many times the delayed leavers were let go */
	unsigned want;      /* how many waiters on the target are worth a
			       volley */
	unsigned seen;      /* the most waiters on the target since `idle` was
			       0, at moments at which only holders could step */
	unsigned idle;      /* such moments since the last delay or volley */
};

/* Returns false if there is no memory; even then the caller must call
 * late_close. */
bool late_open(struct late *l, struct forward_run *run);
void late_close(struct late *l);

/* Let one process step, or let all delayed leavers fail.  Returns false if no
 * process can step. */
bool late_step(struct late *l);

#endif
