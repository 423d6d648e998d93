/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A schedule as text, complete with its question, so that it can be mailed,
 * kept in a test and replayed:
 *
 *   k-bakery n=3 k=1 passages=2,2,1 aborts=1 property=k-fcfs : 0*4 1 2=4 0a | 1
 *
 *   P      process P makes its next step, or begins its passage or recovery
 *   P*C    the same C times
 *   P=V    its read overlaps a write and returns V
 *   P@S    it begins a passage with session S, or operation S of an object
 *   Pa Pd  it gives up, it dies
 *   Pn     its nap is over, and it makes the first step of another look
 *   |      from here on the schedule repeats for ever
 */
#ifndef ATMOST_CHECKER_SCHEDULE_H
#define ATMOST_CHECKER_SCHEDULE_H

#include "checker/lab.h"
#include "checker/world.h"

struct token {
	unsigned process, count;
	char act; /* 's', '=', '@', 'a', 'd', 'n', '|' */
	uint64_t value;
};

/* The schedule of an answered question; the world is used to replay it. */
char *schedule_write(const struct question *q, unsigned property,
		     const struct choice *path, size_t length, size_t loop);

/* The question and the tokens; false: `error` says what does not fit. */
bool schedule_read(const char *text, struct lab_question *q, char *name,
		   size_t name_size, bool *wakes, struct token **tokens,
		   size_t *count, char *error);

/* The choice that a token means in the state w is in. */
bool schedule_choice(struct world *w, const struct token *t,
		     struct choice *choice, char *error);

#endif
