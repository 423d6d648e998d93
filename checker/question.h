/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked of the checker, complete: no defaults left to fill in. */
#ifndef ATMOST_CHECKER_QUESTION_H
#define ATMOST_CHECKER_QUESTION_H

#include "algorithms/registry.h"
#include "memory/simulated/simulated.h"

struct question {
	const struct algorithm *algorithm;
	struct shape shape;
	unsigned passages[MAX_EXHAUSTIVE_N]; /* of each; 0: unbounded */
	unsigned crashes;  /* processes that may stop for ever, unnoticed */
	unsigned deaths;   /* noticed and recovered, altogether */
	unsigned aborts;   /* of each process */
	unsigned asked;    /* properties */
	unsigned contention; /* most outside the remainder at once; 0: all */
	bool wakes;        /* wakes are steps and nobody naps */
	int tracked;       /* whose remote references are counted; -1: nobody's */
	enum cost_model cost;
	bool smart_cache;
	bool make_every_move; /* look none up */
};

#endif
