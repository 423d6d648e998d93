/* SPDX-License-Identifier: BSD-2-Clause */
/* Defines the exit codes and error messages of the commands about pools. */
#ifndef ATMOST_CLI_POOL_H
#define ATMOST_CLI_POOL_H

#include <atmost/atmost.h>

/* The numbers are those of sysexits(3). */
enum pool_exit {
	POOL_USAGE = 64,
	POOL_DAMAGED = 65, /* damaged, or made by another version */
	POOL_MISSING = 66,
	POOL_NOT_REACHED = 68, /* etcd was not reached */
	POOL_FULL = 69,
	POOL_SYSTEM = 71,
	POOL_NOT_MADE = 73,
	POOL_LOST = 74,    /* in etcd, a running command lost its slot */
	POOL_NOT_NOW = 75, /* no slot in time, or the pool is in use */
	POOL_REFUSED = 76, /* etcd refuses, or is not etcd */
	POOL_FORBIDDEN = 77
};

/* The exit code for an error of the library. */
int pool_exit_for(int error);

/* Prints the error that the last call of the library returned, and for some
 * errors a hint.  Returns the exit code for this error. */
int pool_complain(const char *command, const char *pool, int error);

/* Prints "out of memory" and returns the exit code for it. */
int pool_no_memory(const char *command);

#endif
