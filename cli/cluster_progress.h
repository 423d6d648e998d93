/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows the progress of `atmost run -v --at` while it waits.  All functions
 * accept NULL, and then do nothing. */
#ifndef ATMOST_CLI_CLUSTER_PROGRESS_H
#define ATMOST_CLI_CLUSTER_PROGRESS_H

#include "memory/etcd/etcd.h"

struct cluster_progress;

/* NULL: out of memory. */
struct cluster_progress *cluster_progress_new(const char *pool);
void cluster_progress_free(struct cluster_progress *);

/* The next moment for cluster_progress_show, if it is before `until`; otherwise
 * `until`. */
int64_t cluster_progress_at(const struct cluster_progress *, int64_t until);

/*
 * Shows on stderr the position in the queue and the holders, if it is time.
 * `changed`: the pool has changed, so etcd is asked.  On a terminal it rewrites
 * one line; in a file it writes a line for every change.
 */
void cluster_progress_show(struct cluster_progress *, struct etcd *,
			   bool changed);

/* Removes the line from the terminal. */
void cluster_progress_erase(const struct cluster_progress *);

#endif
