/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the process's side of steps: a simulated process announces a step and
 * is suspended until the scheduler has made the step.  Algorithms call the
 * functions in steps.h; the scheduler calls the functions here.
 */
#ifndef ATMOST_MEMORY_SIMULATED_PROCESS_H
#define ATMOST_MEMORY_SIMULATED_PROCESS_H

#include "memory/simulated/simulated.h"

/* Give p an empty stack on which it will run `body`. */
void process_prepare(unsigned p, void (*body)(struct simulated_process *));

/* Continue p, whose last step had this result, until p announces another
 * step. */
void process_continue(unsigned p, uint64_t result);

#endif
