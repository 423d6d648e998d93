/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switching stacks where we have not written it by hand.  The context of a
 * suspended coroutine is a local of its switch, so it lies on its stack too;
 * the pointer that is handed round points at it.
 */
#include "memory/simulated/coroutine.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

/* What the switch under way hands over. */
static uint64_t handed;

uint64_t coroutine_switch(char **from, char *to, uint64_t value)
{
	ucontext_t here;

	handed = value;
	/* Bytes swapcontext leaves alone would make equal states differ. */
	memset(&here, 0, sizeof here);
	*from = (char *)&here;
	swapcontext(&here, (ucontext_t *)(void *)to);
	return handed;
}

char *coroutine_prepare(char *top, void (*entry)(void))
{
	enum { OLDEST = 4096 };
	ucontext_t *first = (ucontext_t *)(void *)(top - sizeof *first);
	char *bottom;

	first = (ucontext_t *)((size_t)first & ~(size_t)63);
	bottom = (char *)first - OLDEST;
	memset(first, 0, sizeof *first);
	getcontext(first);
	first->uc_stack.ss_sp = bottom;
	first->uc_stack.ss_size = OLDEST;
	first->uc_link = NULL;
	makecontext(first, entry, 0);
	return (char *)first;
}
