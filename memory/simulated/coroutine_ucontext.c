/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switches stacks on machines without an assembler version: ucontext enters a
 * new stack once; setjmp and longjmp make all later switches.  (swapcontext
 * would also save registers that a call need not preserve.  Then states that
 * differ only in these registers would count as different.)  The jmp_buf of a
 * suspended coroutine is a local variable of coroutine_switch on the stack of
 * the coroutine.  The address of the jmp_buf serves as the stack pointer.
 * Everything that coroutine_switch needs to continue is above this address.
 */
#include "memory/simulated/coroutine.h"

#include <setjmp.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

static struct {
	char *to;            /* the stack that the current switch goes to */
	uint64_t value;      /* the value that the current switch passes on */
	void (*entry)(void); /* function of the stack being prepared */
	char *prepared;
	ucontext_t preparing;
} now;

/*
 * A new stack starts with the registers that `origin` has, and they become part
 * of the state.  Therefore `origin` is the same for all stacks, and for all
 * workers, which are forked later: registers of the caller of coroutine_prepare
 * would make equal states differ.
 */
static ucontext_t origin;

__attribute__((constructor)) static void note_origin(void)
{
	getcontext(&origin);
}

static void jump(void)
{
	jmp_buf *there = (jmp_buf *)(void *)now.to;

	_longjmp(*there, 1);
}

/*
 * _setjmp saves registers, and they become part of the state.  So the arguments
 * are stored first: a register that still held an argument, such as the stack
 * pointer of the scheduler, would make equal states differ.
 */
uint64_t coroutine_switch(char **from, char *to, uint64_t value)
{
	jmp_buf here;

	*from = (char *)&here;
	now.to = to;
	now.value = value;
	/* Bytes that _setjmp does not write would make equal states differ. */
	memset(&here, 0, sizeof here);
	if (_setjmp(here) == 0)
		jump();
	return now.value;
}

/* The first frame of a new stack.  It is suspended until the first switch. */
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
	ucontext_t fresh = origin;

	/* All stacks have the same entry, so one variable is enough. */
	now.entry = entry;
	memset(top - ROOM, 0, ROOM);
	fresh.uc_stack.ss_sp = top - ROOM;
	fresh.uc_stack.ss_size = ROOM;
	fresh.uc_link = NULL;
	makecontext(&fresh, first_frame, 0);
	swapcontext(&now.preparing, &fresh);
	memset(top - ROOM, 0, (size_t)(now.prepared - (top - ROOM)));
	return now.prepared;
}
