/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * etcd's own lock (clientv3/concurrency, which `etcdctl lock` uses), over the
 * same wire as our locks.  A passage gets a lease, puts a key with this lease,
 * deletes the key and ends the lease.
 */
#ifndef ATMOST_BENCH_CLUSTER_RECIPE_H
#define ATMOST_BENCH_CLUSTER_RECIPE_H

#include "wire.h"

struct recipe {
	struct wire *wire;
	struct exchange exchange;
	int64_t lease;
	char key[64];
};

/* Both functions return false if etcd refused a request.  The lock must be
 * free. */
bool recipe_enter(struct recipe *, unsigned seconds);
bool recipe_leave(struct recipe *);
void recipe_free(struct recipe *);

#endif
