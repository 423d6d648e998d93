/* SPDX-License-Identifier: BSD-2-Clause */
/* Single steps of a process; machine.c makes transitions of them. */
#ifndef ATMOST_TESTS_EXPLORER_STEP_H
#define ATMOST_TESTS_EXPLORER_STEP_H

#include "machine.h"

/* Returns the number of values that the next step of p may read: 1, unless the
 * step is a torn read. */
unsigned step_torn_values(const struct state *s, unsigned p);

/* Make the next step of p, and the computation after it.  Returns false if p is
 * blocked. */
bool step_make(struct state *s, unsigned p, unsigned torn, struct events *e);

/* Begin a pass, without its first access.  slept: the pass follows a nap. */
void step_begin_pass(struct state *s, unsigned p, bool slept, struct events *e);

#endif
