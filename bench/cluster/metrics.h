/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers that etcd itself counts, from its page /metrics.  So they do not
 * depend on the code under test. */
#ifndef ATMOST_BENCH_CLUSTER_METRICS_H
#define ATMOST_BENCH_CLUSTER_METRICS_H

struct metrics {
	double events;   /* sent to watchers */
	double requests; /* of all kinds, without streams that are open */
	double grants, transactions, keepalives, revokes, watches;
	double bytes;   /* sent to clients, as gRPC; JSON has about twice as
			   many */
	double seconds; /* of processor time */
};

/* Reads the page of the node (tests/cluster/node.h), or exits. */
struct metrics metrics_read(void);

struct metrics metrics_between(const struct metrics *before,
			       const struct metrics *after);

#endif
