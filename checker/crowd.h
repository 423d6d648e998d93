/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forward runs of many processes under an adversary, with everybody's remote
 * references counted: for instances too large to search.
 */
#ifndef ATMOST_CHECKER_CROWD_H
#define ATMOST_CHECKER_CROWD_H

#include "checker/lab.h"
#include "checker/question.h"

enum adversary {
	ADVERSARY_RANDOM,      /* any process, equal chances */
	ADVERSARY_BURSTS,      /* one process for a while, then another */
	ADVERSARY_ROUND_ROBIN, /* everybody in turn */
	ADVERSARY_NOSY,        /* who waits looks after every change */
	ADVERSARY_STALL,       /* some are left standing while others pass */
	ADVERSARIES
};

struct crowd_result {
	uint64_t worst, passages;
	double mean;
	char waits_on[48]; /* DSM: a word somebody waits on remotely */
};

/* -1: no adversary has this name. */
int crowd_adversary(const char *name);

/* Run for so many seconds; results are added to what is there. */
bool crowd_run(const struct question *q, enum adversary adversary,
	       unsigned contention, uint64_t seed, double seconds,
	       struct crowd_result *result);

#endif
