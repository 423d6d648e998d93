/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static volatile int asked;
static struct sigaction before, alarm_before;

static void ring(long microseconds)
{
	const struct itimerval again = {
		.it_interval.tv_usec = microseconds,
		.it_value.tv_usec = microseconds,
	};

	setitimer(ITIMER_REAL, &again, NULL);
}

/* The signal may come just before a sleep begins: others follow until it has
 * been noticed. */
static void ask(int signal)
{
	(void)signal;
	asked = 1;
	ring(1000);
}

static void nothing(int signal)
{
	(void)signal;
}

const volatile int *stop_heed(void)
{
	const struct sigaction stop = { .sa_handler = ask };
	const struct sigaction alarm = { .sa_handler = nothing };

	sigaction(SIGTSTP, NULL, &before);
	if (before.sa_handler == SIG_IGN)
		return NULL;
	asked = 0;
	sigaction(SIGALRM, &alarm, &alarm_before);
	sigaction(SIGTSTP, &stop, NULL);
	return &asked;
}

void stop_end(void)
{
	if (before.sa_handler == SIG_IGN)
		return;
	ring(0);
	sigaction(SIGTSTP, &before, NULL);
	sigaction(SIGALRM, &alarm_before, NULL);
}

void stop_now(void)
{
	stop_end();
	raise(SIGTSTP);
	stop_heed();
}
