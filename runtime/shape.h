/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_SHAPE_H
#define ATMOST_RUNTIME_SHAPE_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"

/*
 * Finds the algorithm that the wanted shape names, or the default algorithm of
 * its kind.  Fills *shape: the wanted shape with its defaults filled in.
 * Returns 0, ATMOST_ESHAPE or ATMOST_EALGORITHM.
 */
int shape_resolve(const struct algorithm **algorithm, struct shape *shape,
		  const struct atmost_shape *wanted);

#endif
