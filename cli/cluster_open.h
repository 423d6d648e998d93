/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens the etcd of a command about pools in etcd, and the pool of `atmost run`
 * there. */
#ifndef ATMOST_CLI_CLUSTER_OPEN_H
#define ATMOST_CLI_CLUSTER_OPEN_H

#include "cli/pool_make.h"
#include "cluster/pool.h"

/* A pool in etcd, or all pools of a prefix. */
struct place {
	struct address address;
	char *pool; /* its name; NULL: none was named */
	/* The pool for messages, and as an operand of other commands:
	 * "etcd://n1:2379/atmost/gpu"; without a pool, the address. */
	char *name;
	struct connection connection;
};

/*
 * Reads the address and the credentials, and opens a connection, which gives
 * etcd a few seconds for each request.  `at` is the address, and `pool` the
 * operand; both are the same text if the operand has "://".  Returns 0, or an
 * exit code after an error message.
 */
int cluster_open(const char *command, const char *at, const char *pool,
		 struct place *);
void cluster_close(struct place *);

/* The same without a connection, for a command that borrows one
 * (connection_borrow). */
int cluster_find(const char *command, const char *at, const char *pool,
		 struct place *);

/* Sets the time limit of the next request: a few seconds from now. */
void cluster_allow_time(struct place *);

/* Prints connection.why, and for some errors a hint.  Returns the exit code. */
int cluster_complain(const char *command, const struct place *, int error);
/* The same about a pool of a place that names no pool itself. */
int cluster_complain_of(const char *command, const struct place *,
			const char *pool, int error);

/*
 * Opens the pool of `atmost run`, or creates it, by the rules of pools of one
 * machine: a pool without members takes the k and the slot names of the
 * request; a pool in use keeps its k, and a warning says so.
 *
 * Returns 0; then the caller frees *look.  Returns an exit code after an error
 * message, and *error is the error of cluster/ask.h or 0.  If *error is
 * ATMOST_EUNREACHED, no message was printed: the caller may call again.
 */
int cluster_open_pool(struct place *, const struct pool_request *,
		      struct cluster_look *look, int *error);

#endif
