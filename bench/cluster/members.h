/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of pools with k = 1 in the etcd of tests/cluster/node.h.  Each waiter
 * is a thread that leaves as soon as it is inside. */
#ifndef ATMOST_BENCH_CLUSTER_MEMBERS_H
#define ATMOST_BENCH_CLUSTER_MEMBERS_H

#include "passage.h"

#include <pthread.h>

enum { MEMBERS_MOST = 5001, MEMBERS_OWN = 16 };

struct member {
	struct etcd *etcd;
	pthread_t thread;
	uint64_t ticket; /* when it arrived, as a stamp */
	uint64_t own[MEMBERS_OWN];
	int64_t entered, leaves; /* CLOCK_BOOTTIME in nanoseconds */
};

extern struct member member[MEMBERS_MOST];

struct member_settings {
	const char *node;
	unsigned seconds; /* of a lease */
	bool watch_all;
};

/* Member 0 creates a new pool and holds its slot; then the others arrive, one
 * after the other, and wait.  Each function exits if something fails. */
void members_begin(const struct member_settings *);
void members_arrive(const struct member_settings *, unsigned waiters);

/* Member 0 leaves, and all others pass, one after the other. */
void members_pass(unsigned waiters);

/* Frees member 0 and the waiters. */
void members_end(unsigned waiters);

/* Raises the limit on open descriptors as far as this process may. */
void members_raise_limit(void);

#endif
