/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the command of `atmost run`. */
#ifndef ATMOST_CLI_CHILD_H
#define ATMOST_CLI_CHILD_H

#include <atmost/atmost.h>
#include <stdbool.h>

enum {
	CHILD_KILLED = 128,
	CHILD_SIGNALLED = 256 /* not an exit status: see child_finish */
};

/*
 * Runs the command, which holds the member's slot, and waits until the command
 * has ended; with `all`, until all its descendants have ended, too.  With
 * `new_group`, the command gets a process group of its own.  Returns the exit
 * status of the command, or CHILD_SIGNALLED + n if signal n ended it.  If the
 * command cannot be run, prints why and returns 126, or 127 if there is no such
 * command.  After the call, all signals are blocked.
 */
int child_run(struct atmost_member *me, char **command, bool all,
	      bool new_group);

/*
 * For CHILD_SIGNALLED + n, ends this process by signal n, without a core file,
 * so that a shell sees how the command ended.  If signal n does not end this
 * process, because it is the first of a pid namespace, returns 128 + n.
 * Returns any other code as it is.
 */
int child_finish(int code);

/* Executes the command in the place of this program.  Returns only if that
 * fails, with 126 or 127. */
int child_exec(struct atmost_member *me, char **command);

#endif
