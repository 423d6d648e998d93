/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handles Ctrl-Z (SIGTSTP) while `atmost run` waits.  A stopped waiter at the
 * head of the queue would get the slot and block every waiter behind it.
 * Therefore the waiter leaves the queue before it stops.
 */
#ifndef ATMOST_CLI_SUSPEND_H
#define ATMOST_CLI_SUSPEND_H

/*
 * From now on SIGTSTP does not stop the process: it sets the flag to which this
 * function returns a pointer, and interrupts a sleep.  Returns NULL if the
 * process ignored SIGTSTP when it started; it then still ignores the signal.
 */
const volatile int *suspend_catch(void);

/* Stops the process as SIGTSTP would have done.  Returns after SIGCONT; from
 * then on SIGTSTP is caught again. */
void suspend_now(void);

/* The wait is over: SIGTSTP does again what it did before suspend_catch. */
void suspend_restore(void);

#endif
