/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of composed algorithms, made when they are first asked for. */
#ifndef ATMOST_ALGORITHMS_COMPOSE_H
#define ATMOST_ALGORITHMS_COMPOSE_H

#include "algorithm.h"

enum { COMPOSED_NAME = 96 };

/* `base` over `component`, called `name`; NULL: too long or too many. */
const struct algorithm *compose_named(const struct algorithm *base,
				      const struct algorithm *component,
				      const char *name);

#endif
