/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_SIMULATED_GUARD_H
#define ATMOST_MEMORY_SIMULATED_GUARD_H

#include <stddef.h>

/*
 * From now on a simulated process that overflows its stack ends this program,
 * with status 4 and a sentence in `message`, which somebody else may read.
 */
void guard_stacks(char *message, size_t size);

#endif
