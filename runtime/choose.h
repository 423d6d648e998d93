/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_CHOOSE_H
#define ATMOST_RUNTIME_CHOOSE_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"

/*
 * The algorithm a shape asks for, and the shape with its defaults filled in.
 * Returns 0, ATMOST_ESHAPE or ATMOST_EALGORITHM.
 */
int choose_algorithm(const struct algorithm **algorithm, struct shape *shape,
		     const struct atmost_shape *wanted);

const char *choose_kind_name(enum atmost_kind kind);

#endif
