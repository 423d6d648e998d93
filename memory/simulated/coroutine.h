/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switching stacks.  Everything that a suspended coroutine needs is on its own
 * stack, from the saved stack pointer up, so its state is a range of bytes.
 */
#ifndef ATMOST_MEMORY_SIMULATED_COROUTINE_H
#define ATMOST_MEMORY_SIMULATED_COROUTINE_H

#include <stdint.h>

/*
 * Save the stack pointer in *from and continue on the stack `to`, where the
 * call of this function that was suspended returns `value`.
 */
uint64_t coroutine_switch(char **from, char *to, uint64_t value);

/* Prepare a stack that ends at `top` and begins by calling entry(); returns its
 * stack pointer. */
char *coroutine_prepare(char *top, void (*entry)(void));

#endif
