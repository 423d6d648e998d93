/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * etcd's own lock (clientv3/concurrency, which `etcdctl lock` uses), over the
 * same wire as ours: a lease, a key with it, its deletion, the end of the lease.
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
