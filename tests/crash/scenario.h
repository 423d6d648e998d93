/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In a scenario a worker, the victim, performs an action on a pool in a certain
 * state, and is killed at its Nth stop.  Then the recoverer of the victim is
 * killed at its Mth stop.
 */
#ifndef ATMOST_TESTS_CRASH_SCENARIO_H
#define ATMOST_TESTS_CRASH_SCENARIO_H

#include "workers.h"

enum { WAITERS = 2 };

/* What the victim does. */
enum action { ENTERS, TRIES, GIVES_UP, LEAVES, PARTS, HOLDS, JOINS, RESIZES };

struct scenario {
	const char *name;
	enum action action;
	bool full; /* the parent holds all slots; otherwise all but one */
	unsigned waiters;
};

extern const struct scenario scenarios[];
extern const unsigned scenario_count;

/* How the victim and its recoverer ended. */
struct outcome {
	enum ending victim, recoverer;
	unsigned long victim_stops, recoverer_stops;
};

/*
 * Kills the victim at its stop number victim_at and the recoverer at its stop
 * number recoverer_at; a process whose number is NEVER is not killed.
 * Afterwards all other workers must get in, and the pool must be equal to a new
 * pool.  The pool has k + 2 + WAITERS members.  A group pool without a limit
 * has 3 + WAITERS members: in such a pool the other workers have other
 * sessions, so one holder is enough to keep them out.
 */
struct outcome scenario_run(struct workers *workers,
			    const struct scenario *scenario, uint64_t victim_at,
			    uint64_t recoverer_at);

#endif
