/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes and reads a schedule as text, together with its question, so that
 * users can mail it, keep it in a test and replay it:
 *
 *   k-bakery n=3 k=1 passages=2,2,1 aborts=1 property=k-fcfs : 0*4 1 2=4 0a | 1
 *
 *   P      process P makes its next step, or begins its passage or recovery
 *   P*C    process P makes C such steps
 *   P=V    the read of P overlaps a write and returns V
 *   P@S    P begins a passage with session S, or operation S of an object type
 *   Pa     P gives up
 *   Pd     P dies
 *   Pn     the nap of P ends, and P makes the first step of another pass
 *   P=1    the store makes the transaction of P, but the answer is lost
 *   P=2    the transaction of P is delayed; P will send it again
 *   Pg     a delayed transaction of P arrives; Pg2: the second oldest one
 *   Px     the lease of P ends, although P runs on
 *   |      from here on the schedule repeats for ever
 */
#ifndef ATMOST_CHECKER_SCHEDULE_H
#define ATMOST_CHECKER_SCHEDULE_H

#include "checker/lab_types.h"
#include "checker/world.h"

struct token {
	unsigned process, count;
	char act; /* 's', '=', '@', 'a', 'd', 'n', 'g', 'x', '|' */
	uint64_t value;
};

/* Returns the text of a path, whose last `loop` choices repeat, or NULL if
 * there is no memory.  The simulated memory must not be open: this function
 * opens it. */
char *schedule_write(const struct question *q, unsigned property,
		     const struct choice *path, size_t length, size_t loop);

/* Read the question and the tokens; q->algorithm will point to `name`.  Returns
 * false on failure; `error` then says what is wrong.  The caller frees *tokens
 * in both cases. */
bool schedule_read(const char *text, struct lab_question *q, char *name,
		   size_t name_size, bool *wakes, struct token **tokens,
		   size_t *count, char *error);

/* Find the choice that a token means in the current state of w.  Returns false
 * if there is no such choice; `error` then says why. */
bool schedule_choice(struct world *w, const struct token *t,
		     struct choice *choice, char *error);

#endif
