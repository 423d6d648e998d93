/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole state of a program: all words, all processes and all that the
 * monitors remember.  Every field is a uint64_t, so that a state has no
 * padding and memcmp compares states.
 */
#ifndef ATMOST_TESTS_EXPLORER_STATE_H
#define ATMOST_TESTS_EXPLORER_STATE_H

#include "program.h"

enum { MOST_WATCHED = MOST_CODE, MOST_EXPLANATIONS = 32 };
enum { NOT_COUNTED = 1000000 };

/* The point at which a process stands. */
enum at {
	AT_REMAINDER,
	AT_STEP,   /* before the step of line `pc`, or the rest of that line */
	AT_POLL,   /* between two passes of its poll */
	AT_INSIDE, /* in the critical section */
	AT_DEAD
};

/* What a pass read. */
struct watched {
	uint64_t word, value;
};

struct member {
	uint64_t phase, at, body, pc;
	/* How far the line is executed: a safe write that has begun has part 1;
	 * an await_any is at its first look (0), at its second (1) or sleeps
	 * (2). */
	uint64_t part;
	uint64_t local[LOCALS], own[OWN_WORDS];
	uint64_t slot, session, operation, argument;
	uint64_t passages, aborts; /* left */
	uint64_t steps;            /* made in this phase, if bounded */
	uint64_t wrote;            /* this pass of its poll changed a word */
	uint64_t slept;            /* this pass of its poll follows a nap */
	uint64_t asleep;           /* only where wakes are steps */
	/* What the last pass read: it named a word to sleep on; it had an
	 * effect, so that another pass may differ; the words and values. */
	uint64_t named, always, watches;
	struct watched watch[MOST_WATCHED];
};

enum progress { OPERATION_NONE, OPERATION_INVOKED, OPERATION_EFFECTIVE };

/* One way to explain all results so far. */
struct explanation {
	uint64_t object, progress[MOST_N], result[MOST_N];
};

struct state {
	uint64_t word[MOST_WORDS];
	uint64_t flux[MOST_WORDS]; /* 1: a safe write has begun */
	struct member member[MOST_N];
	/* since[q]: bit p if p has left its remainder since the doorway of q
	 * ended */
	uint64_t since[MOST_N];
	uint64_t bypassed[MOST_N];
	uint64_t overtaken[MOST_N]; /* fife: q must not be blocked */
	uint64_t deaths;            /* left */
	uint64_t limit, shrinking;
	uint64_t operation[MOST_N], argument[MOST_N];
	uint64_t explanations;
	struct explanation explanation[]; /* MOST_EXPLANATIONS, of objects */
};

/* The bytes of a state of this program. */
size_t state_size(void);
struct state *state_copy(const struct state *s);
struct state *state_first(void);

#endif
