/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A waiter's place in the queue.  The ranks of the waiters tell it, so only
 * algorithms that have `rank` have places.  Finding a place means reading the
 * rank of every member.
 */
#ifndef ATMOST_RUNTIME_QUEUE_H
#define ATMOST_RUNTIME_QUEUE_H

#include "runtime/pool.h"

enum {
	QUEUE_HEAD = 2, /* the first waiters: they look for deaths */
	QUEUE_AHEAD = 2 /* so a waiter notices when it reaches the head */
};

struct queue_place {
	unsigned position; /* from 1; 0: not known */
	unsigned ahead;    /* how many entries of `at` are valid */
	/* The waiters right in front, nearest first; and the first waiter of
	 * all, if ahead is not 0. */
	struct queue_neighbour {
		unsigned id;
		uint64_t rank;
	} at[QUEUE_AHEAD], first;
};

/* Finds the place of member id. */
void queue_find(const struct atmost *pool, unsigned id,
		struct queue_place *place);

/*
 * Finds the place anew, unless it is known and the neighbours still wait.  Then
 * the position may be smaller than before, but this does not matter until a
 * neighbour leaves its place.
 */
void queue_update(const struct atmost *pool, unsigned id,
		  struct queue_place *place);

/* True: the neighbour still waits, and has not left its place meanwhile. */
bool queue_still_waits(const struct atmost *pool,
		       const struct queue_neighbour *neighbour);

#endif
