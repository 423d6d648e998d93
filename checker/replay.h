/* SPDX-License-Identifier: BSD-2-Clause */
/* Replays a schedule step by step and describes each step. */
#ifndef ATMOST_CHECKER_REPLAY_H
#define ATMOST_CHECKER_REPLAY_H

#include "checker/canonical.h"
#include "checker/lab_types.h"
#include "checker/step_cost.h"
#include "checker/world.h"

struct replay {
	struct world world;
	struct step_cost cost;
	struct lab_step *step; /* the caller takes and frees it */
	size_t steps, room;
	size_t loop_at; /* the step where the loop begins, or SIZE_MAX */
	/* the fingerprint of the state in which the loop begins; if the
	 * question is canonical, the canonical one */
	uint64_t loop_hash;
	struct canonical *canonical;
	/* about the loop: what bound, busy and steps in struct component say
	 * about a component (components.h) */
	uint64_t bound, busy, moved;
	/* about the loop: processes that could step in every state and were
	 * inside in none; processes that were leaving, and processes that had a
	 * free way (monitor.h), in every state */
	uint64_t bound_outside, leaving, free_way;
	/* true if, during the loop, a process entered, finished leaving or
	 * began a resize */
	bool progress;
	unsigned violated; /* properties violated so far */
};

bool replay_open(struct replay *r, const struct question *q);
void replay_close(struct replay *r);

/* Make a choice.  Returns false if the choice cannot be made in this state. */
bool replay_choice(struct replay *r, struct choice c);

/* The steps from here on are the loop. */
void replay_loop_begins(struct replay *r);

/* After the last choice: check the last state and the loop, and describe in
 * `why` where every process is. */
void replay_finish(struct replay *r, char *why, size_t size);

#endif
