/* SPDX-License-Identifier: BSD-2-Clause */
/* Linearizability: all explanations of the results so far, as a part of the
 * state (docs/properties.md). */
#ifndef ATMOST_TESTS_EXPLORER_EXPLANATIONS_H
#define ATMOST_TESTS_EXPLORER_EXPLANATIONS_H

#include "machine.h"

/* Becomes true if a state has more than MOST_EXPLANATIONS explanations. */
extern bool explanations_overflow;

/* Update the explanations after a transition of p.  Returns false if no
 * explanation remains. */
bool explanations_follow(struct state *s, unsigned p, const struct events *e);

#endif
