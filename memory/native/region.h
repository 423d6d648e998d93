/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_NATIVE_REGION_H
#define ATMOST_MEMORY_NATIVE_REGION_H

#include <stdbool.h>
#include <stdint.h>

/* Whether `bell` is where a word may be in the known memory that has `word`. */
bool region_is_one(uintptr_t word, uintptr_t bell);

#endif
