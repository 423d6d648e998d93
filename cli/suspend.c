/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/suspend.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static volatile int requested;
static struct sigaction stop_before, alarm_before;
static struct itimerval timer_before;

/* SIGALRM has this handler only so that it interrupts a system call. */
static void interrupt(int signal)
{
	(void)signal;
}

/*
 * If SIGTSTP arrives just before the waiter goes to sleep, it does not
 * interrupt the sleep.  Therefore SIGALRM follows every millisecond until the
 * waiter sees the flag.  Until SIGTSTP arrives, SIGALRM and a timer that this
 * process has inherited have their usual effect.
 */
static void request(int signal)
{
	const struct sigaction alarm = { .sa_handler = interrupt };
	const struct itimerval repeat = { .it_interval.tv_usec = 1000,
					  .it_value.tv_usec = 1000 };

	(void)signal;
	if (requested)
		return;
	sigaction(SIGALRM, &alarm, &alarm_before);
	setitimer(ITIMER_REAL, &repeat, &timer_before);
	requested = 1;
}

const volatile int *suspend_catch(void)
{
	const struct sigaction stop = { .sa_handler = request };

	sigaction(SIGTSTP, NULL, &stop_before);
	if (stop_before.sa_handler == SIG_IGN)
		return NULL;
	requested = 0;
	sigaction(SIGTSTP, &stop, NULL);
	return &requested;
}

void suspend_restore(void)
{
	if (stop_before.sa_handler == SIG_IGN)
		return;
	sigaction(SIGTSTP, &stop_before, NULL);
	if (!requested)
		return;
	setitimer(ITIMER_REAL, &timer_before, NULL);
	sigaction(SIGALRM, &alarm_before, NULL);
}

void suspend_now(void)
{
	suspend_restore();
	raise(SIGTSTP);
	suspend_catch();
}
