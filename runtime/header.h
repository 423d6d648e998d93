/* SPDX-License-Identifier: BSD-2-Clause */
/* The fixed part of a pool: the first part of its header, and its slot names. */
#ifndef ATMOST_RUNTIME_HEADER_H
#define ATMOST_RUNTIME_HEADER_H

#include "runtime/pool.h"

/* Writes the header and the slot names of a pool that is being made, in zeroed
 * memory. */
void header_fill(const struct atmost *made, const uint64_t boot[2]);

/* Copies the header and the slot names that another process wrote, and checks
 * the copies: 0 or an error.  *names is NULL if there are no slot names; the
 * caller frees it in every case. */
int header_read(struct header *h, char **names, const struct segment *segment,
		const char *name);

/* The shape in the header.  It points into the header and at the names. */
struct atmost_shape header_shape(const struct header *h, const char *names);

#endif
