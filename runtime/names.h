/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Slot names: one text with a name for each slot, in the order of the slots and
 * separated by commas.  atmost.h says which texts are possible.
 */
#ifndef ATMOST_RUNTIME_NAMES_H
#define ATMOST_RUNTIME_NAMES_H

#include "atmost/atmost.h"

enum {
	NAMES_MOST = 65535, /* bytes of the whole text */
	NAME_MOST = 64      /* bytes of a name */
};

/* The length of the text, or NAMES_MOST + 1 if the text is too long; 0 if names
 * is NULL. */
size_t names_length(const char *names);

/* Checks the names of the shape.  Returns their number, which is 0 if the shape
 * has none, or ATMOST_ESHAPE or ATMOST_ENOMEM. */
int names_check(const struct atmost_shape *shape);

/*
 * Compares the slot names of the pool `name` with the names of the wanted
 * shape, which has names.  Returns 0 if they are the same names in any order,
 * or ATMOST_ESHAPE or ATMOST_ENOMEM.  `there` is NULL if the pool has no slot
 * names.
 */
int names_compare(const char *there, const struct atmost_shape *wanted,
		  const char *name);

#endif
