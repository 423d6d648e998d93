/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_NATIVE_REGION_H
#define ATMOST_MEMORY_NATIVE_REGION_H

#include "mem.h"

/* The bell of the known memory that holds the word; NULL: it is not known. */
struct word *region_bell(const struct word *w);

#endif
