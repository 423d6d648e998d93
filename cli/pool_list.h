/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists the names of all pools. */
#ifndef ATMOST_CLI_POOL_LIST_H
#define ATMOST_CLI_POOL_LIST_H

/*
 * Stores the names in *names, sorted, and returns their number.  The caller
 * frees them with pool_list_free.  Files whose names atmost_open would refuse
 * are left out.  On failure, prints an error message that begins with the name
 * of `command`, and returns the negative exit code.
 */
int pool_list(const char *command, char ***names);
void pool_list_free(char **names);

#endif
