/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the command of `atmost run` in a pool of this machine. */
#ifndef ATMOST_CLI_CHILD_H
#define ATMOST_CLI_CHILD_H

#include <atmost/atmost.h>
#include <stdbool.h>

/*
 * Runs the command, which holds the member's slot, and waits until the command
 * has ended; with `all`, until all its descendants have ended, too.  With
 * `new_group`, the command gets a process group of its own.  Returns the exit
 * status of the command, or SUPERVISE_SIGNALLED + n if signal n ended it
 * (cli/supervise.h).  If the command cannot be run, prints why and returns 126,
 * or 127 if there is no such command.  After the call, all signals are blocked.
 */
int child_run(struct atmost_member *me, char **command, bool all,
	      bool new_group);

/* Executes the command in the place of this program.  Returns only if that
 * fails, with 126 or 127. */
int child_exec(struct atmost_member *me, char **command);

#endif
