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
enum { NOT_COUNTED = 1000000, FOR_EVER = 255 /* unbounded passages */ };

/* The point at which a process stands. */
enum at {
	AT_REMAINDER,
	AT_STEP,   /* before the step of line `pc`, or in that line */
	AT_POLL,   /* between two passes of its poll */
	AT_INSIDE, /* in the critical section */
	AT_DEAD
};

/* A word that a pass has read, and its value. */
struct watched {
	uint64_t word, value;
};

struct member {
	uint64_t phase, at, body, pc;
	/* How much of the line is executed.  Safe write: 0 before it begins, 1
	 * after.  await_any: 0 before the first look, 1 before the second look,
	 * 2 after it. */
	uint64_t part;
	uint64_t local[LOCALS], own[OWN_WORDS];
	uint64_t slot, session, operation, argument;
	uint64_t passages, aborts; /* left */
	uint64_t steps;            /* steps made in this phase, if bounded */
	uint64_t wrote;            /* this pass of its poll changed a word */
	uint64_t slept;            /* this pass of its poll follows a nap */
	uint64_t asleep;           /* only where wakes are steps */
	/* The last step of this transition has read `fresh_value` from the word
	 * `fresh` - 1.  Both are 0 between transitions. */
	uint64_t fresh, fresh_value;
	/* About the last pass.  named: it named a word to sleep on.  always:
	 * another pass may have another result even if no word changes.
	 * watches: the number of words in `watch` that it has read. */
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
	/* bit p of since[q]: p has left its remainder since q finished its
	 * doorway */
	uint64_t since[MOST_N];
	uint64_t bypassed[MOST_N];
	uint64_t overtaken[MOST_N]; /* [q]: q must stay enabled (fife) */
	uint64_t deaths;            /* left */
	uint64_t limit, shrinking;
	uint64_t operation[MOST_N], argument[MOST_N];
	uint64_t explanations;
	struct explanation explanation[]; /* objects only */
};

/* Returns the size of a state of `program` in bytes. */
size_t state_size(void);
struct state *state_copy(const struct state *s);
struct state *state_first(void);

#endif
