/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_MEMORY_SIMULATED_STACK_OVERFLOW_H
#define ATMOST_MEMORY_SIMULATED_STACK_OVERFLOW_H

#include <stddef.h>

/*
 * From now on, if a simulated process overflows its stack, this program writes
 * a sentence into `message` and exits with status 4.  `message` should be in
 * memory that another process shares.
 */
void stack_overflow_catch(char *message, size_t size);

#endif
