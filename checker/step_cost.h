/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Says for each step of a replayed schedule whether its access is remote: in
 * the CC model with a cache that is not smart, in the CC model with a smart
 * cache, and in the DSM model.  The meter cannot do this, because it counts in
 * one model at a time, and because its copies would be part of the state.
 */
#ifndef ATMOST_CHECKER_STEP_COST_H
#define ATMOST_CHECKER_STEP_COST_H

#include "checker/lab_types.h"
#include "memory/simulated/simulated.h"

/* For each word of the open instance, the processes that have a copy, as bits:
 * first for a cache that is not smart, then for a smart one. */
struct step_cost {
	uint16_t (*copies)[2];
};

/* Call this after the instance was opened.  Returns false if there is no
 * memory; even then the caller must call step_cost_close. */
bool step_cost_open(struct step_cost *c);
void step_cost_close(struct step_cost *c);

/* Process p has made this step.  Sets the cost in s, unless the step is part of
 * a safe write or a wake, which cost nothing. */
void step_cost_note(struct step_cost *c, struct lab_step *s, unsigned p,
		    const struct step *made);

#endif
