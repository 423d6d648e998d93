/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows the progress of `atmost run -v` while it waits. */
#ifndef ATMOST_CLI_RUN_PROGRESS_H
#define ATMOST_CLI_RUN_PROGRESS_H

#include <atmost/atmost.h>

/*
 * Starts a thread that shows on stderr the position in the queue and the
 * holders.  On a terminal the thread rewrites one line; in a file it writes a
 * new line for every change.
 */
void run_progress_start(struct atmost *pool, const char *name);
void run_progress_stop(void);

#endif
