/* SPDX-License-Identifier: BSD-2-Clause */
/* Rewrites one line on stderr in place. */
#ifndef ATMOST_CLI_TERMINAL_LINE_H
#define ATMOST_CLI_TERMINAL_LINE_H

/* Replaces the line; stderr must be a terminal. */
void terminal_line_rewrite(const char *line);

/* Replaces the line by a formatted one.  Prints nothing if stderr is not a
 * terminal. */
void terminal_line_print(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

void terminal_line_erase(void);

#endif
