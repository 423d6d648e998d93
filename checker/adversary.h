/* SPDX-License-Identifier: BSD-2-Clause */
/* Adversaries: who steps next in a crowd, so that passages become dear. */
#ifndef ATMOST_CHECKER_ADVERSARY_H
#define ATMOST_CHECKER_ADVERSARY_H

#include "checker/crowd.h"

/* The random one is the first; adversary.c says what each does. */
enum { ADVERSARY_RANDOM, ADVERSARIES = 7 };

struct budget {
	double seconds;
	uint64_t steps; /* not 0: so many, whatever time they take */
	bool aborts;    /* who waits gives up now and then */
};

/* -1: no adversary has this name.  All names, for a message. */
int adversary_number(const char *name);
const char *adversary_names(void);

/* In a crowd that is open, at most `contention` processes outside their
 * remainders.  Results are added to what is there; once somebody
 * waits remotely, there is nothing left to find out.  False: no memory. */
bool adversary_run(int adversary, unsigned contention, uint64_t seed,
		   struct budget budget, struct crowd_result *result);

#endif
