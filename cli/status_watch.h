/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_STATUS_WATCH_H
#define ATMOST_CLI_STATUS_WATCH_H

/* Draws the status table of a pool, or of all pools if `pool` is NULL, on the
 * terminal and updates it until the user presses q or a signal arrives.
 * Returns an exit code. */
int status_watch(const char *pool);

#endif
