/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool of several machines, as a program has opened it: the calls of table.h
 * that are about a pool as a whole. */
#ifndef ATMOST_CLUSTER_LIBRARY_H
#define ATMOST_CLUSTER_LIBRARY_H

#include "cluster/address.h"
#include "cluster/table.h"

struct remote_pool {
	struct address address;
	char *root; /* PREFIX/POOL */
	enum atmost_kind kind;
	bool groups;
	unsigned k;             /* when the pool was opened */
	char *names;            /* the slot names at that time; NULL: none */
	int64_t names_modified; /* their revision; 0: none */
	unsigned sessions;      /* as the caller asked; 0: any number */
	unsigned seconds;       /* how long a lease lasts */
};

int library_open(struct remote_pool **, const char *address,
		 const struct atmost_shape *wanted, struct atmost_shape *is,
		 char *why);
int library_remove(const char *address, bool unused_only, char *why);
int library_inspect(struct remote_pool *, struct atmost_shape *is, char *why);
int library_resize(struct remote_pool *, unsigned k, char *why);
void library_close(struct remote_pool *);

/* Opens a connection for one call, whose requests wait five seconds. */
struct connection;
int library_connect(struct connection *, const struct address *, char *why);

/* Copies connection->why of a failed call to `why`.  Returns the error. */
int library_explain(struct connection *, int error, char *why);

int library_status(struct remote_pool *, struct atmost_seat *seats,
		   unsigned capacity, struct atmost_totals *totals, char *why);

#endif
