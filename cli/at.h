/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the pools of a command are: --at, ATMOST_AT, or POOL itself. */
#ifndef ATMOST_CLI_AT_H
#define ATMOST_CLI_AT_H

#include <stdbool.h>

/*
 * Decides where a pool is.  `option` is the value of --at, or NULL; `pool` is
 * the operand, or NULL if there is none.
 *
 * *address becomes NULL if the pool is on this machine.  Otherwise the pool is
 * in etcd: *address is the address of --at or ATMOST_AT, or `pool` itself if
 * the operand has "://".  Returns 0, or an exit code after an error message.
 */
int at_choose(const char *command, const char *option, const char *pool,
	      const char **address);

#endif
