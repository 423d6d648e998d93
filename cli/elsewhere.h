/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The commands about pools in etcd.
 *
 * The program atmost-etcd does them.  In the program atmost each of these
 * functions executes atmost-etcd with the same arguments: atmost is linked
 * statically and starts fast, and loading libcurl takes longer than its start.
 *
 * argv[0] is the name of the command; argv[-1] is that of the program.  `at` is
 * the address of at_choose, never NULL.  Each function returns an exit code.
 */
#ifndef ATMOST_CLI_ELSEWHERE_H
#define ATMOST_CLI_ELSEWHERE_H

#include "cli/pool_make.h"
#include "cli/run_options.h"

int elsewhere_run(char **argv, const char *at, const struct run_options *run);

/* `pool` is NULL for all pools. */
int elsewhere_status(char **argv, const char *at, const char *pool, bool json,
		     bool watch);
int elsewhere_pools(char **argv, const char *at);
int elsewhere_resize(char **argv, const char *at,
		     const struct pool_request *request);
int elsewhere_repair(char **argv, const char *at, const char *pool);
int elsewhere_remove(char **argv, const char *at, const char *pool, bool force);
int elsewhere_remove_unused(char **argv, const char *at);

#endif
