/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Being stopped (Ctrl-Z) while waiting: a stopped waiter at the head of a queue
 * would be handed the slot and keep everybody behind it waiting.  So it gives
 * its place up first.
 */
#ifndef ATMOST_CLI_STOP_H
#define ATMOST_CLI_STOP_H

/* From here on SIGTSTP only sets what this returns, and ends a sleep; NULL: the
 * signal is ignored, as it was when we came. */
const volatile int *stop_heed(void);

/* It was set, and the place is given up: stop as the signal would have done.
 * Returns when somebody lets us go on. */
void stop_now(void);

/* The wait is over: the signal does what it did before. */
void stop_end(void);

#endif
