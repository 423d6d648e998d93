/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of composed algorithms, made on the first request. */
#ifndef ATMOST_ALGORITHMS_COMPOSE_H
#define ATMOST_ALGORITHMS_COMPOSE_H

#include "algorithm.h"

enum { COMPOSED_NAME = 96 };

/* The table of `base` over `component` with this name; NULL: the name is too
 * long, or there are too many tables. */
const struct algorithm *compose_named(const struct algorithm *base,
				      const struct algorithm *component,
				      const char *name);

#endif
