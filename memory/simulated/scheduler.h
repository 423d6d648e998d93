/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the scheduler's side of steps: the scheduler makes the step that a
 * process has announced, and lets the process compute until it announces the
 * next step.
 */
#ifndef ATMOST_MEMORY_SIMULATED_SCHEDULER_H
#define ATMOST_MEMORY_SIMULATED_SCHEDULER_H

#include "memory/simulated/simulated.h"

/* Start process p on an empty stack; it computes up to its first step. */
void scheduler_start(unsigned p, void (*body)(struct simulated_process *));

/*
 * Make the step that p announced.  If the step is a torn read, `torn` is the
 * number of the value that it returns (see sim_torn_values).
 */
void scheduler_perform(unsigned p, unsigned torn);

/* Let p compute until it announces its next step. */
void scheduler_resume(unsigned p);

/* Put p into its remainder: empty its stack, and zero its own words except for
 * the persistent ones. */
void scheduler_retire(unsigned p);

/* Zero the stack bytes below sp that may be dirty, so that equal states have
 * equal bytes. */
void scheduler_clean(unsigned p);

/* Returns whether a word has changed since the last pass of p read it; returns
 * true if there was no pass. */
bool scheduler_watched_changed(unsigned p);

#endif
