/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that do what they are told, one thing at a time.
 */
#ifndef ATMOST_TESTS_API_ACTORS_H
#define ATMOST_TESTS_API_ACTORS_H

#include "folder.h"

#include <sys/types.h>

struct actor {
	pid_t pid;
	int to, from;
};

/* What an actor can do; it answers with what the library said. */
enum deed {
	JOIN = 'j',    /* the object of its name, once more */
	ENTER = 'e',   /* waiting for ever; of a group for session 1 */
	TRY = 't',     /* likewise */
	ENTER_2 = '2', /* for session 2 */
	ENTER_3 = '3',
	TRY_2 = 'r',
	HURRY = 'h',  /* with a deadline 0.3 s away */
	GLANCE = 'g', /* ... 2 ms away */
	LEAVE = 'l',
	PART = 'p',
	FORK = 'f',   /* a child that stays; its pid */
	TRUST = 'T',  /* the same, and the member is entrusted to it */
	CHILD = 'c',  /* the same, but the child entrusts it to itself */
	BECOME = 'b', /* EXEC, entrusted to itself; says no more */
	EXEC = 'x',   /* becomes a program that reads until the end */
	END = 'q'     /* without parting */
};

/* Opens the object and joins it. */
struct actor actor_start(const char *name);
/* The same in a pid namespace of its own; pid 0: not permitted. */
struct actor actor_start_elsewhere(const char *name);

void actor_ask(struct actor *actor, enum deed deed);
int actor_answer(struct actor *actor); /* fails if it takes 20 s */
int actor_do(struct actor *actor, enum deed deed);

/* kill -9, and it is gone when this returns. */
void actor_kill(struct actor *actor);

void expect_end(pid_t pid);

/* Looks at the object, by which the dead are recovered, until there are so
 * many; fails after 20 s. */
void await_waiters(struct atmost *object, unsigned waiters);
void await_holders(struct atmost *object, unsigned holders);

struct atmost_totals totals_of(struct atmost *object);

#endif
