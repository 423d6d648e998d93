/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of a call in which nothing else may happen to the thread.
 *
 * No call of the library is a cancellation point: cancellation is disabled while
 * one may use the C library's, and acts afterwards.  Where a lock of this
 * process is held signals are blocked, too: a handler that ends the thread
 * (pthread_exit) would leave it locked for ever.
 */
#ifndef ATMOST_RUNTIME_QUIET_H
#define ATMOST_RUNTIME_QUIET_H

#include <signal.h>

struct quiet {
	int cancel;
	sigset_t signals;
};

void quiet_begin(struct quiet *before);
void quiet_end(const struct quiet *before);

/* Cancellation alone: what to hand to quiet_allow_cancel. */
int quiet_refuse_cancel(void);
void quiet_allow_cancel(int before);

#endif
