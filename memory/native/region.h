/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_NATIVE_REGION_H
#define ATMOST_MEMORY_NATIVE_REGION_H

#include "mem.h"

/* Returns the bell (see wait.h) of the region that holds the word, or NULL if
 * no known region holds the word. */
struct word *region_bell(const struct word *w);

#endif
