/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the table of a composed algorithm on the first request. */
#ifndef ATMOST_ALGORITHMS_COMPOSE_H
#define ATMOST_ALGORITHMS_COMPOSE_H

#include "algorithm.h"

enum { COMPOSED_NAME = 96 };

/* Returns the table of `base` over `component`, under this name.  Returns NULL
 * if the name is too long or there are too many tables. */
const struct algorithm *compose_named(const struct algorithm *base,
				      const struct algorithm *component,
				      const char *name);

#endif
