/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/quiet.h"

#include <pthread.h>
#include <stddef.h>

int quiet_refuse_cancel(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

void quiet_allow_cancel(int before)
{
	pthread_setcancelstate(before, &before);
}

void quiet_begin(struct quiet *before)
{
	/*
	 * Signals that report faults of the thread itself; they stay unblocked.
	 */
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL,
				      SIGTRAP, SIGSYS, SIGABRT };
	sigset_t all;

	before->cancel = quiet_refuse_cancel();
	sigfillset(&all);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before->signals);
}

void quiet_end(const struct quiet *before)
{
	pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
	quiet_allow_cancel(before->cancel);
}
