/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_HELP_H
#define ATMOST_CLI_HELP_H

/* Prints the help page of a command or topic; EXIT_USAGE if there is none. */
int help_print(const char *name);

#endif
