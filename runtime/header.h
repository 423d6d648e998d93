/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of a pool that never changes: the first part of its header, and its
 * slot names. */
#ifndef ATMOST_RUNTIME_HEADER_H
#define ATMOST_RUNTIME_HEADER_H

#include "runtime/pool.h"

/* Writes the header and the slot names of a pool that is being made, in zeroed
 * memory. */
void header_fill(const struct atmost *made, const uint64_t boot[2]);

/* Copies the header and the slot names that another process wrote, and checks
 * the copies.  Returns 0 or an error.  *names is NULL if there are no slot
 * names; the caller frees *names in every case. */
int header_read(struct header *h, char **names, const struct segment *segment,
		const char *name);

/* Returns the shape that the header describes.  Its pointers point into `h` and
 * at `names`. */
struct atmost_shape header_shape(const struct header *h, const char *names);

#endif
