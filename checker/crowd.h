/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forward runs of many processes, with everybody's remote references counted:
 * for instances too large to search.  Who steps is an adversary's choice.
 */
#ifndef ATMOST_CHECKER_CROWD_H
#define ATMOST_CHECKER_CROWD_H

#include "checker/crew.h"
#include "checker/dice.h"
#include "checker/question.h"
#include "checker/waiting_room.h"

struct crowd_result {
	uint64_t worst, passages, sum; /* sum: of all passages' references */
	uint64_t outside;  /* worst on words that are not the component's */
	char waits_on[48]; /* DSM: a word somebody waits on remotely */
};

/* Who is in none of the crews waits. */
struct crowd {
	struct dice dice;
	unsigned contention;     /* at most so many outside the remainder */
	unsigned active;         /* so many are */
	const uint64_t *session; /* what each asks for; NULL: at random */
	struct crew resting;     /* in the remainder */
	struct crew ready;       /* can step, and is not inside */
	struct crew inside;
	struct waiting_room room;
	uint64_t steps;
	unsigned naps; /* that all have taken since a word changed */
	struct crowd_result *result; /* is added to */
};

/* The instance; opened once for several runs.  False: no memory. */
bool crowd_open(const struct question *q);
void crowd_close(void);

/* Everything as at first, and everybody rests; the result and the contention
 * are the caller's to set.  False: no memory; to be ended all the same. */
bool crowd_begin(struct crowd *c);
void crowd_end(struct crowd *c);

/* One step of a process that can make one, or the beginning of its passage. */
void crowd_step(struct crowd *c, unsigned p);

/* Whether p waits where it may give up; and let it. */
bool crowd_may_give_up(const struct crowd *c, unsigned p);
void crowd_give_up(struct crowd *c, unsigned p);

/* Nobody can step: everybody's nap is over, unless that has just been in vain.
 * False: still nobody can. */
bool crowd_wakes_up(struct crowd *c);

/* Passages that have not ended cost something, too. */
void crowd_count_unfinished(struct crowd *c);

/* Let everybody whom the last step released look at what it changed. */
void crowd_let_look(struct crowd *c);

#endif
