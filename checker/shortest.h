/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counterexamples worth reading: the shortest by breadth-first search where
 * its frontier fits, otherwise the one that was found with whatever can be
 * left out of it left out.
 */
#ifndef ATMOST_CHECKER_SHORTEST_H
#define ATMOST_CHECKER_SHORTEST_H

#include "checker/control.h"

/* Replace control->found, which violates `property`, by a shorter schedule. */
void shorten(const struct question *q, struct control *c, unsigned property,
	     size_t memory, double seconds);

#endif
