/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_STATUS_WATCH_H
#define ATMOST_CLI_STATUS_WATCH_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the table that is watched.  Returns an exit code. */
typedef int status_printer(FILE *to, void *what);

/*
 * Draws the table on the terminal and updates it until the user presses q or a
 * signal arrives.  If `alone` is true, an error ends it, too.  Returns an exit
 * code.
 */
int status_watch(status_printer *print, void *what, bool alone);

#endif
