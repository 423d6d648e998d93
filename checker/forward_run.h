/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes forward runs of many processes, for instances that are too large to
 * search.  In a forward run no step is taken back, and the remote references of
 * every process are counted.  The caller chooses which process makes the next
 * step.
 */
#ifndef ATMOST_CHECKER_FORWARD_RUN_H
#define ATMOST_CHECKER_FORWARD_RUN_H

#include "checker/prng.h"
#include "checker/process_set.h"
#include "checker/question.h"
#include "checker/waiters.h"

struct forward_run_result {
	uint64_t worst;    /* most remote references of a passage */
	uint64_t outside;  /* the same, but only outside the component */
	uint64_t passages; /* completed passages */
	uint64_t sum;      /* remote references of all completed passages */
	uint64_t begun;    /* passages, even if they are not completed */
	uint64_t total;    /* remote references of all passages */
	char waits_on[48]; /* DSM: a word that a process waits on remotely */
};

/* A process that is in none of the three sets waits. */
struct forward_run {
	struct prng prng;
	unsigned contention;     /* most processes outside the remainder */
	unsigned active;         /* processes outside the remainder */
	const uint64_t *session; /* sessions of the processes; NULL: random */
	struct process_set in_remainder;
	struct process_set ready; /* trying or leaving, and able to step */
	struct process_set inside;
	struct waiters waiters;
	uint64_t steps;
	unsigned nap_rounds; /* rounds of naps since a word changed */
	struct forward_run_result *result; /* costs accumulate here */
};

/*
 * Open the instance; several runs can follow.  Returns false if there is no
 * memory.
 */
bool forward_run_open(const struct question *q);
void forward_run_close(void);

/* Begin a run in the initial state, with every process in its remainder.  The
 * caller then sets `result` and `contention`.  Returns false if there is no
 * memory; even then the caller must call forward_run_end. */
bool forward_run_begin(struct forward_run *run);
void forward_run_end(struct forward_run *run);

/* Process p makes one step or begins a passage; p must not be waiting. */
void forward_run_step(struct forward_run *run, unsigned p);

/* forward_run_may_give_up returns whether p waits at a point where it can give
 * up.  forward_run_give_up makes p give up. */
bool forward_run_may_give_up(const struct forward_run *run, unsigned p);
void forward_run_give_up(struct forward_run *run, unsigned p);

/* To be called when no process can step: ends the naps of all waiters.  Returns
 * false if this releases no process: either no process naps, or the naps were
 * already ended twice since a word last changed. */
bool forward_run_end_naps(struct forward_run *run);

/* Include the cost of uncompleted passages in the worst costs and in the total
 * of `result`. */
void forward_run_count_unfinished(struct forward_run *run);

/* Every process that the last step released looks at the words that it waited
 * for. */
void forward_run_let_released_look(struct forward_run *run);

#endif
