/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switching stacks where we have not written it by hand: ucontext enters a new
 * stack once, setjmp and longjmp switch.  (swapcontext would save registers
 * that a call need not preserve, and states that differ in nothing but those
 * would count as different.)  The jmp_buf of a suspended coroutine is a local
 * of its switch, so it lies on its stack; the pointer handed round points at
 * it.  What a switch still needs when it goes on lies above.
 */
#include "memory/simulated/coroutine.h"

#include <setjmp.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

static struct {
	uint64_t value;      /* what the switch under way hands over */
	void (*entry)(void); /* of the stack being prepared */
	char *prepared;
	ucontext_t preparing;
} now;

static void jump_to(char *to)
{
	jmp_buf *there = (jmp_buf *)(void *)to;

	_longjmp(*there, 1);
}

uint64_t coroutine_switch(char **from, char *to, uint64_t value)
{
	jmp_buf here;

	/* Bytes _setjmp leaves alone would make equal states differ. */
	memset(&here, 0, sizeof here);
	*from = (char *)&here;
	now.value = value;
	if (_setjmp(here) == 0)
		jump_to(to);
	return now.value;
}

/* The first frame of a new stack: stops here until it is switched to. */
static void first_frame(void)
{
	jmp_buf here;

	memset(&here, 0, sizeof here);
	now.prepared = (char *)&here;
	if (_setjmp(here) == 0)
		setcontext(&now.preparing);
	now.entry();
}

char *coroutine_prepare(char *top, void (*entry)(void))
{
	enum { ROOM = 8192 };
	ucontext_t fresh;

	/* All stacks begin with the same entry, so that it need not be kept. */
	now.entry = entry;
	memset(top - ROOM, 0, ROOM);
	getcontext(&fresh);
	fresh.uc_stack.ss_sp = top - ROOM;
	fresh.uc_stack.ss_size = ROOM;
	fresh.uc_link = NULL;
	makecontext(&fresh, first_frame, 0);
	swapcontext(&now.preparing, &fresh);
	memset(top - ROOM, 0, (size_t)(now.prepared - (top - ROOM)));
	return now.prepared;
}
