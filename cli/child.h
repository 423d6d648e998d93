/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the command of `atmost run`. */
#ifndef ATMOST_CLI_CHILD_H
#define ATMOST_CLI_CHILD_H

#include <atmost/atmost.h>
#include <stdbool.h>

enum { CHILD_NOT_RUN = 126, CHILD_NOT_FOUND = 127, CHILD_KILLED = 128 };

/*
 * Runs the command, which holds the member's slot, and waits until the command
 * has ended; with `all`, until all its descendants have ended, too.  Returns
 * the exit status of the command, or 128 + n if signal n ended it.  If the
 * command cannot be run, prints why and returns 126, or 127 if there is no such
 * command.
 */
int child_run(struct atmost_member *me, char **command, bool all);

/* Executes the command in the place of this program.  Returns only if that
 * fails, with 126 or 127. */
int child_exec(struct atmost_member *me, char **command);

#endif
