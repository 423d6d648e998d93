/* SPDX-License-Identifier: BSD-2-Clause */
/* What is asked of the checker, complete: no defaults left to fill in. */
#ifndef ATMOST_CHECKER_QUESTION_H
#define ATMOST_CHECKER_QUESTION_H

#include "algorithms/registry.h"
#include "memory/simulated/simulated.h"

enum { MAX_RESIZES = 8 };

struct question {
	const struct algorithm *algorithm;
	struct shape shape;
	unsigned passages[MAX_EXHAUSTIVE_N]; /* of each; 0: unbounded */
	unsigned crashes; /* processes that may stop for ever, unnoticed */
	unsigned deaths;  /* noticed and recovered, altogether */
	unsigned aborts;  /* of each process */
	unsigned resize[MAX_RESIZES]; /* the last process sets k to these */
	unsigned resizes;  /* so many; then it makes no passages, and its number
			      of them is this */
	unsigned asked;    /* properties */
	unsigned steps_of; /* bits: whose steps bounded-* counts */
	unsigned contention; /* most outside the remainder at once; 0: all */
	bool wakes;          /* wakes are steps and nobody naps */
	int tracked; /* whose remote references are counted; -1: nobody's */
	enum cost_model cost;
	bool smart_cache;
	bool make_every_move; /* look none up */
};

static inline bool question_resizer(const struct question *q, unsigned p)
{
	return q->resizes && p == q->shape.n - 1;
}

/* So many make passages: all but who resizes. */
static inline unsigned question_passers(const struct question *q)
{
	return q->shape.n - (q->resizes > 0);
}

/* What k is set to by the resize that was begun last, if so many are left. */
static inline unsigned question_k(const struct question *q, unsigned left)
{
	return left < q->resizes ? q->resize[q->resizes - left - 1]
				 : q->shape.k;
}

/* The smallest k that there will be. */
static inline unsigned question_least_k(const struct question *q)
{
	unsigned least = q->shape.k;

	for (unsigned i = 0; i < q->resizes; i++)
		least = q->resize[i] < least ? q->resize[i] : least;
	return least;
}

#endif
