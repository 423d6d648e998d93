/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The watchdog ends a test program that hangs.  Its limits are minutes, so that
 * it does not take a slow machine for a hang.
 */
#ifndef ATMOST_TESTS_COMMON_WATCHDOG_H
#define ATMOST_TESTS_COMMON_WATCHDOG_H

#include <stdbool.h>
#include <sys/types.h>

/* On any machine an action that does not wait takes less than this. */
enum { WATCHDOG_SECONDS = 300 };

/*
 * The program prints the message and exits with 1 if neither watchdog_stop nor
 * watchdog_restart is called within WATCHDOG_SECONDS; ATMOST_STRESS_SECONDS
 * makes the limit longer.  The message must stay valid.
 */
void watchdog_start(const char *message);
void watchdog_stop(void);

/*
 * To be called after progress: starts the time limit of a running watchdog
 * anew.
 */
void watchdog_restart(void);

/* Return whether the process, or the thread of the caller's process, sleeps in
 * the kernel. */
bool process_sleeps(pid_t pid);
bool thread_sleeps(pid_t thread);

#endif
