/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the command of `atmost run`. */
#ifndef ATMOST_CLI_CHILD_H
#define ATMOST_CLI_CHILD_H

#include <atmost/atmost.h>
#include <stdbool.h>

enum { CHILD_NOT_RUN = 126, CHILD_NOT_FOUND = 127, CHILD_KILLED = 128 };

/*
 * Runs the command as the holder of the member's slot and waits for its end;
 * `all`: waits for all of its descendants, too.  Returns its exit status, or
 * 128 + n if signal n ended it.  If the command cannot be run, prints why and
 * returns 126, or 127 if there is no such command.
 */
int child_run(struct atmost_member *me, char **command, bool all);

/* Replaces this process by the command.  Returns, with 126 or 127, only if that
 * fails. */
int child_exec(struct atmost_member *me, char **command);

#endif
