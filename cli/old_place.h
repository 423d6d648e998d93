/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_CLI_OLD_PLACE_H
#define ATMOST_CLI_OLD_PLACE_H

/*
 * Says on stderr, for `command`, if a pool of this name is in use in a
 * directory in which pools were before.  Its commands and those of the pool of
 * today do not wait for each other, which the user must know.
 */
void old_place_warn(const char *command, const char *pool);

#endif
