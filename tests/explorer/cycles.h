/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_TESTS_EXPLORER_CYCLES_H
#define ATMOST_TESTS_EXPLORER_CYCLES_H

#include "explore.h"

/* Returns the properties that a cycle of the graph violates. */
unsigned cycles_refused(const struct graph *g);

#endif
