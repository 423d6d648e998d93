/* SPDX-License-Identifier: BSD-2-Clause */
#include "memory/simulated/stack_overflow.h"

#include "memory/simulated/label.h"
#include "memory/simulated/simulated.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static struct {
	char *message;
	size_t size;
} report;

/* The handler cannot run on the stack that has overflowed. */
static char handler_stack[64 * 1024];

static void overflowed(int signal_number, siginfo_t *info, void *context)
{
	unsigned process;

	(void)context;
	if (sim_overflowed(info->si_addr, &process)) {
		const struct step *step = sim.coroutine[process].step;

		snprintf(report.message, report.size,
			 "process %u of %s overflowed its simulated stack of "
			 "%zu KiB after %s",
			 process, sim.algorithm->name, sim.stack_size / 1024,
			 step ? label_of(step->where) : "its start");
		_exit(4);
	}
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

void stack_overflow_catch(char *message, size_t size)
{
	stack_t stack = { .ss_sp = handler_stack,
			  .ss_size = sizeof handler_stack };
	struct sigaction action = { .sa_sigaction = overflowed,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK |
						SA_NODEFER };

	report.message = message;
	report.size = size;
	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}
