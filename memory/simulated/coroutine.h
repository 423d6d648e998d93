/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switching stacks.  Everything a suspended coroutine needs lies on its own
 * stack from the saved pointer up: that is what makes its state a byte range.
 */
#ifndef ATMOST_MEMORY_SIMULATED_COROUTINE_H
#define ATMOST_MEMORY_SIMULATED_COROUTINE_H

#include <stdint.h>

/*
 * Save this stack pointer in *from and go on with the stack `to`, whose own
 * call of this function returns `value` there.
 */
uint64_t coroutine_switch(char **from, char *to, uint64_t value);

/* A stack that ends at `top` and will begin by calling entry(). */
char *coroutine_prepare(char *top, void (*entry)(void));

#endif
