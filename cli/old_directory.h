/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_OLD_DIRECTORY_H
#define ATMOST_CLI_OLD_DIRECTORY_H

/*
 * Warns on stderr if a pool of this name is in use in a directory where an
 * earlier version or configuration stored pools, because the commands of that
 * pool and of the pool in the present directory do not wait for each other.
 */
void old_directory_warn(const char *command, const char *pool);

#endif
