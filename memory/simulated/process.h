/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The process's side of steps: a simulated process announces a step and is
 * suspended until the scheduler has made it.  The functions that algorithms
 * call are declared in steps.h; those here are called by the scheduler.
 */
#ifndef ATMOST_MEMORY_SIMULATED_PROCESS_H
#define ATMOST_MEMORY_SIMULATED_PROCESS_H

#include "memory/simulated/simulated.h"

/* Give p an empty stack on which it will run `body`. */
void process_prepare(unsigned p, void (*body)(struct simulated_process *));

/* Continue p, whose last step had this result, until it announces another. */
void process_continue(unsigned p, uint64_t result);

#endif
