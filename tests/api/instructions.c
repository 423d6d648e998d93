/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts the instructions of an uncontended passage: a traced child enters and
 * leaves, one instruction at a time.  Only instructions outside the program
 * itself count, so the count is that of the library.
 *
 * The limits are those of the library before it knew pools of several machines.
 * Such pools must not cost the others an instruction.
 */
#include "atmost/atmost.h"
#include "common/watchdog.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARM = 100, SKIPPED = 77 };

struct passage {
	const char *name;
	struct atmost_shape shape;
	unsigned limit; /* instructions of atmost_enter and atmost_leave */
};

/* gcc 12 with -O2. */
static const struct passage passages[] = {
	{ "assignment", { .kind = ATMOST_ASSIGNMENT, .k = 3 }, 64 },
	{ "mutex", { .kind = ATMOST_MUTEX }, 64 },
};

extern const char __executable_start[], etext[];

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

__attribute__((noinline)) static void begin(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static void end(void)
{
	__asm__ volatile("" ::: "memory");
}

/* The child. */
static void pass(const struct passage *passage)
{
	struct atmost *pool;
	struct atmost_member *me;

	if (atmost_create(&pool, &passage->shape) < 0 ||
	    atmost_join(pool, &me) < 0)
		_exit(2);
	for (unsigned i = 0; i < WARM; i++)
		if (atmost_enter(me, NULL) < 0 || atmost_leave(me) < 0)
			_exit(2);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	begin();
	if (atmost_enter(me, NULL) < 0 || atmost_leave(me) < 0)
		_exit(2);
	end();
	_exit(0);
}

static uintptr_t step(pid_t child)
{
	struct user_regs_struct registers;
	int status;

	if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) < 0 ||
	    waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_GETREGS, child, NULL, &registers) < 0)
		fail("the child");
	return registers.rip;
}

static unsigned count(const struct passage *passage)
{
	const uintptr_t from = (uintptr_t)__executable_start;
	const uintptr_t to = (uintptr_t)etext;
	const pid_t child = fork();
	unsigned instructions = 0;
	uintptr_t at;
	int status;

	if (child < 0)
		fail("fork");
	if (child == 0)
		pass(passage);
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
		puts("skipped: ptrace is not allowed here");
		exit(SKIPPED);
	}
	while (step(child) != (uintptr_t)begin)
		;
	while ((at = step(child)) != (uintptr_t)end)
		instructions += at < from || at >= to;
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return instructions;
}

int main(void)
{
	bool good = true;

	watchdog_start("FAILED: the traced child hangs\n");
	for (size_t i = 0; i < sizeof passages / sizeof *passages; i++) {
		const struct passage *passage = &passages[i];
		const unsigned instructions = count(passage);
		const bool fits = instructions > 0 &&
				  instructions <= passage->limit;

		printf("%s: a passage of %s takes %u instructions, at most "
		       "%u\n",
		       fits ? "ok" : "FAILED", passage->name, instructions,
		       passage->limit);
		good &= fits;
	}
	return good ? 0 : 1;
}
