/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Marks the parts of a call in which the thread cannot be cancelled or
 * interrupted.
 *
 * No call of the library is a cancellation point: a call disables cancellation
 * while it uses functions of the C library that may be cancellation points.  A
 * cancellation that arrives meanwhile takes effect afterwards.  While the
 * thread holds a lock of this process, the library blocks signals, too, because
 * a handler that ends the thread (pthread_exit) would leave the lock taken for
 * ever.
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

/* Disables cancellation only.  Returns the argument for quiet_allow_cancel. */
int quiet_refuse_cancel(void);
void quiet_allow_cancel(int before);

#endif
