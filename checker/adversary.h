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
};

/* -1: no adversary has this name.  All names, for a message. */
int adversary_number(const char *name);
const char *adversary_names(void);

/* At most `contention` processes are outside their remainders at a time.
 * Results are added to what is there.  False: no memory. */
bool adversary_run(int adversary, const struct question *q,
		   unsigned contention, uint64_t seed, struct budget budget,
		   struct crowd_result *result);

#endif
