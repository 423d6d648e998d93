/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A struct question is a complete question to the checker: no defaults are left
 * to fill in.
 */
#ifndef ATMOST_CHECKER_QUESTION_H
#define ATMOST_CHECKER_QUESTION_H

#include "algorithms/registry.h"
#include "checker/lab_types.h"
#include "memory/simulated/simulated.h"

/* The properties of the search in which wakes are steps. */
enum { WAKE_PROPERTIES = NO_LOST_WAKE | PROMPT_WAKE };

struct question {
	const struct algorithm *algorithm;
	struct shape shape;
	unsigned passages[MAX_EXHAUSTIVE_N]; /* per process; 0: unbounded */
	unsigned crashes; /* most processes that stop for ever, unnoticed */
	unsigned deaths;  /* most deaths in total, noticed and recovered */
	unsigned aborts;  /* most aborts of each process */
	unsigned faults;  /* most faults of the store in total */
	bool no_clocks;   /* a lease may end while its process is inside */
	unsigned resize[LAB_MAX_RESIZES]; /* the values to which the last
					     process sets k */
	/* the number of resizes; if not 0, the last process makes no passages,
	 * and its entry in `passages` is this number */
	unsigned resizes;
	unsigned asked; /* the properties to check */
	/* bit p: the bounded-* properties count the steps of process p */
	unsigned steps_of;
	unsigned contention; /* most processes outside the remainder; 0: all */
	bool wakes;          /* wakes are steps and no process naps */
	int tracked; /* process whose remote references are counted; -1: none */
	enum cost_model cost;
	bool smart_cache;
	bool make_every_move; /* do not use the cache of moves */
	bool find_collisions; /* fail if two states have one fingerprint */
};

/* Write an error message and return false. */
#define question_refuse(...) (snprintf(error, LAB_ERROR, __VA_ARGS__), false)

/* Fill in the defaults.  Returns false if the question is not valid; `error`
 * then says why. */
bool question_complete(const struct lab_question *from, struct question *to,
		       char *error);

/* Fill in the shape.  Returns false if the algorithm does not allow this shape;
 * `error` then says why. */
bool question_shape(const struct algorithm *a, int n, int k, int sessions,
		    struct shape *shape, char *error);

/* Returns NULL if there is no such algorithm; `error` then says so. */
const struct algorithm *question_algorithm(const char *name, char *error);

/* Returns whether p is the process that resizes. */
static inline bool question_resizer(const struct question *q, unsigned p)
{
	return q->resizes && p == q->shape.n - 1;
}

/* Returns the number of processes that make passages. */
static inline unsigned question_passers(const struct question *q)
{
	return q->shape.n - (q->resizes > 0);
}

/*
 * Returns the k that the latest resize sets, if `left` resizes have not begun
 * yet.
 */
static inline unsigned question_k(const struct question *q, unsigned left)
{
	return left < q->resizes ? q->resize[q->resizes - left - 1]
				 : q->shape.k;
}

/* Returns the smallest k of the question. */
static inline unsigned question_least_k(const struct question *q)
{
	unsigned least = q->shape.k;

	for (unsigned i = 0; i < q->resizes; i++)
		least = q->resize[i] < least ? q->resize[i] : least;
	return least;
}

#endif
