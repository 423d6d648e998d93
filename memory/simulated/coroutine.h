/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switches stacks.  Everything that a suspended coroutine needs is on its own
 * stack, from the saved stack pointer up, so its state is a range of bytes.
 */
#ifndef ATMOST_MEMORY_SIMULATED_COROUTINE_H
#define ATMOST_MEMORY_SIMULATED_COROUTINE_H

#include <stdint.h>

/*
 * Save the stack pointer in *from and continue on the stack `to`.  There, the
 * suspended call of this function returns `value`.
 */
uint64_t coroutine_switch(char **from, char *to, uint64_t value);

/* Prepare a stack that ends at `top`; the first switch to it calls entry().
 * Returns the stack pointer of the new stack. */
char *coroutine_prepare(char *top, void (*entry)(void));

#endif
