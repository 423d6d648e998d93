/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/suspend.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static volatile int requested;
static struct sigaction stop_before, alarm_before;

/* Makes SIGALRM arrive again and again at this interval; 0: no longer. */
static void repeat_alarm(long microseconds)
{
	const struct itimerval interval = {
		.it_interval.tv_usec = microseconds,
		.it_value.tv_usec = microseconds,
	};

	setitimer(ITIMER_REAL, &interval, NULL);
}

/* If SIGTSTP arrives just before the waiter goes to sleep, it does not
 * interrupt the sleep.  Therefore SIGALRM follows every millisecond until the
 * waiter sees the flag. */
static void request(int signal)
{
	(void)signal;
	requested = 1;
	repeat_alarm(1000);
}

/* SIGALRM has this handler only so that it interrupts a system call. */
static void interrupt(int signal)
{
	(void)signal;
}

const volatile int *suspend_catch(void)
{
	const struct sigaction stop = { .sa_handler = request };
	const struct sigaction alarm = { .sa_handler = interrupt };

	sigaction(SIGTSTP, NULL, &stop_before);
	if (stop_before.sa_handler == SIG_IGN)
		return NULL;
	requested = 0;
	sigaction(SIGALRM, &alarm, &alarm_before);
	sigaction(SIGTSTP, &stop, NULL);
	return &requested;
}

void suspend_restore(void)
{
	if (stop_before.sa_handler == SIG_IGN)
		return;
	repeat_alarm(0);
	sigaction(SIGTSTP, &stop_before, NULL);
	sigaction(SIGALRM, &alarm_before, NULL);
}

void suspend_now(void)
{
	suspend_restore();
	raise(SIGTSTP);
	suspend_catch();
}
