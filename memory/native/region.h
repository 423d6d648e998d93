/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_NATIVE_REGION_H
#define ATMOST_MEMORY_NATIVE_REGION_H

#include "mem.h"

/* The bell (see wait.h) of the region that holds the word; NULL: no known
 * region holds the word. */
struct word *region_bell(const struct word *w);

#endif
