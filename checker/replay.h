/* SPDX-License-Identifier: BSD-2-Clause */
/* A schedule made step by step, told in the words of the algorithm. */
#ifndef ATMOST_CHECKER_REPLAY_H
#define ATMOST_CHECKER_REPLAY_H

#include "checker/lab.h"
#include "checker/schedule.h"

struct replay {
	struct world world;
	struct lab_step *step;
	size_t steps, room;
	size_t loop_at;     /* where the loop begins; SIZE_MAX: there is none */
	uint64_t loop_hash; /* of the state there */
	uint64_t bound, busy, moved; /* over the loop, as in judge.c */
	bool progress;               /* somebody got in, or away, in the loop */
	unsigned violated;           /* so far */
	uint32_t overtaken;          /* by the last step */
	struct choice *path;
};

bool replay_open(struct replay *r, const struct question *q);
void replay_close(struct replay *r);

/* Make a choice; false: it cannot be made here. */
bool replay_choice(struct replay *r, struct choice c);
void replay_loop_begins(struct replay *r);

/* The schedule is over: judge where it ends, and say how everybody stands. */
void replay_finish(struct replay *r, char *why, size_t size);

#endif
