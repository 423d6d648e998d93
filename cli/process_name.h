/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_PROCESS_NAME_H
#define ATMOST_CLI_PROCESS_NAME_H

/*
 * Gives this process another name and command line, so that `pkill atmost` and
 * `pkill -f 'atmost run'` do not find it.  The process has its memory to itself.
 * The function does not allocate, so a forked process may call it.
 */
void process_name_set(const char *name);

#endif
