/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_HELP_H
#define ATMOST_CLI_HELP_H

/* Prints the help page of a command or topic.  Returns EXIT_USAGE if there is
 * no such page. */
int help_print(const char *name);

#endif
