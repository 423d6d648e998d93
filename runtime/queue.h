/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds a waiter's place in the queue from the ranks of the waiters.  So a
 * waiter has a place only if the algorithm has `rank`.  Finding a place means
 * reading the rank of every member.
 */
#ifndef ATMOST_RUNTIME_QUEUE_H
#define ATMOST_RUNTIME_QUEUE_H

#include "runtime/pool.h"

enum {
	QUEUE_HEAD = 2, /* how many of the first waiters look for deaths */
	QUEUE_AHEAD = 2 /* how many waiters in front of it a waiter watches, so
			   that it notices when it reaches the head */
};

struct queue_place {
	unsigned position; /* from 1; 0: not known */
	unsigned ahead;    /* how many entries of `at` are valid */
	/* `at`: the waiters right in front of this waiter, the nearest one
	 * first.  `first`: the first waiter of the queue; valid if ahead is not
	 * 0. */
	struct queue_neighbour {
		unsigned id;
		uint64_t rank;
	} at[QUEUE_AHEAD], first;
};

/* Finds the place of member id. */
void queue_find(const struct atmost *pool, unsigned id,
		struct queue_place *place);

/*
 * Finds the place again, unless it is known and the neighbours still wait.  In
 * that case the stored position may be too large, but this does not matter
 * until a neighbour leaves its place.
 */
void queue_update(const struct atmost *pool, unsigned id,
		  struct queue_place *place);

/* True: the neighbour still waits, and has not left its place meanwhile. */
bool queue_still_waits(const struct atmost *pool,
		       const struct queue_neighbour *neighbour);

#endif
