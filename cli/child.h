/* SPDX-License-Identifier: BSD-2-Clause */
/* Running the command of `atmost run`. */
#ifndef ATMOST_CLI_CHILD_H
#define ATMOST_CLI_CHILD_H

#include <atmost/atmost.h>
#include <stdbool.h>

enum { CHILD_NOT_RUN = 126, CHILD_NOT_FOUND = 127, CHILD_KILLED = 128 };

/*
 * Runs it in the member's name and waits for its end; `all`: also for that of
 * whatever it leaves behind.  Its exit status, 128 + n if signal n ended it, or
 * 126 and 127 after complaining.
 */
int child_run(struct atmost_member *me, char **command, bool all);

/* Becomes the command; returns only if that fails, the same codes. */
int child_become(struct atmost_member *me, char **command);

#endif
