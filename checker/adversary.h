/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An adversary is a strategy that chooses which process steps next in a forward
 * run, so that passages cost many remote references.
 */
#ifndef ATMOST_CHECKER_ADVERSARY_H
#define ATMOST_CHECKER_ADVERSARY_H

#include "checker/forward_run.h"

/*
 * Adversaries are numbered from 0; ADVERSARY_RANDOM is the number of the random
 * one.
 */
enum { ADVERSARY_RANDOM, ADVERSARIES = 8 };

struct budget {
	double seconds;
	uint64_t steps; /* if not 0: limit in steps, instead of seconds */
	bool aborts;    /* waiters give up now and then */
};

/* Returns the number of the adversary with this name, or -1 if there is no such
 * adversary. */
int adversary_number(const char *name);

const char *adversary_name(int adversary);

/* The names of all adversaries, as a list for a message. */
const char *adversary_names(void);

/*
 * Run the open instance with at most `contention` processes outside their
 * remainders, and accumulate the costs in *result.  The run ends before the
 * budget is used up if a process waits on a remote word, because then the cost
 * is unbounded.  Returns false if there is no memory.
 */
bool adversary_run(int adversary, unsigned contention, uint64_t seed,
		   struct budget budget, struct forward_run_result *result);

#endif
