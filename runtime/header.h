/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes and checks the fixed part of a pool's header. */
#ifndef ATMOST_RUNTIME_HEADER_H
#define ATMOST_RUNTIME_HEADER_H

#include "runtime/pool.h"

/* Fills the header of a pool that is being made, in zeroed memory. */
void header_fill(const struct atmost *made, const uint64_t boot[2]);

/*
 * Checks a copy of a header that another process wrote.  Returns 0 or an error.
 */
int header_check(const struct header *h, const char *name);

/*
 * Returns the shape in the header.  The algorithm of the shape points into the
 * header.
 */
struct atmost_shape header_shape(const struct header *h);

#endif
