/* SPDX-License-Identifier: BSD-2-Clause */
/* Says why `atmost run` could not run its command. */
#ifndef ATMOST_CLI_NOT_RUN_H
#define ATMOST_CLI_NOT_RUN_H

enum { NOT_RUN = 126, NOT_FOUND = 127 }; /* exit statuses */

enum { NOT_ENTRUSTED = -1 }; /* errno is never negative */

/* `error` is errno of the failed exec or vfork, or NOT_ENTRUSTED if the member
 * could not be entrusted to the command.  Returns the exit status. */
int not_run_report(const char *command, int error);

#endif
