/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A simulation of pools in etcd: discrete events, a queue of work at each etcd
 * cluster, and a queue of waiters at each pool.
 *
 * An etcd cluster has processors that do one piece of work after the other, in
 * the order in which the work came.  A piece of work is a request, or the
 * events of a revision for all watchers.  A request that writes is answered
 * some time after its work is done, as the log must reach the disks.  A passage
 * makes the requests that memory/etcd makes: grant, arrive, for a waiter also
 * watch and claim, and revoke; a far waiter looks and watches once more.
 * Members that wait or hold send keepalives.
 */
#ifndef ATMOST_BENCH_CLUSTER_MODEL_H
#define ATMOST_BENCH_CLUSTER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Times are in milliseconds. */
struct model_costs {
	double write, read, keep, event; /* work, in processor time */
	double ticket;                   /* work for each ticket of a queue */
	double commit;                   /* until a write is answered */
	unsigned processors;             /* of each etcd cluster */
	double lease;
};

struct model_settings {
	struct model_costs costs;
	unsigned clusters, pools, machines;
	unsigned k;       /* of each pool */
	unsigned local_k; /* of a pool of each machine in front; 0: none */
	double hold;      /* mean of an exponential distribution */
	bool watch_all;   /* waiters watch the whole pool */
	/* Passages arrive at random in all pools together until the end; or,
	 * if per_second is 0, `at_once` arrive at the start. */
	double per_second, end;
	unsigned at_once;
	/* Returns the pool and the machine of the next passage. */
	unsigned (*pick_pool)(uint64_t *random, unsigned pools);
	unsigned (*pick_machine)(uint64_t *random, unsigned machines);
	/* Returns the etcd cluster of a pool. */
	unsigned (*cluster_of)(unsigned pool, unsigned clusters);
	uint64_t seed;
};

struct model_result {
	unsigned long passages, requests, events;
	double seconds;         /* how long it took */
	double busy;            /* the part of the processors' time */
	double busiest;         /* the same of the busiest cluster */
	double enter, enter_95; /* arrival to inside, if a slot is free: median
				    and 95th percentile */
	double handoff;         /* leave to the next enter: median */
	double handoff_95;      /* and 95th percentile */
	double wait, wait_95;   /* arrival to inside, of all */
	double waiters;         /* in etcd, mean over time */
	unsigned waiters_most;  /* in etcd */
	double held;            /* slots, mean over time */
};

/* Runs the simulation.  Exits if memory runs out. */
struct model_result model_run(const struct model_settings *);

/* model_below returns a random number below a limit, and model_uniform one
 * between 0 and 1. */
unsigned model_below(uint64_t *random, unsigned limit);
double model_uniform(uint64_t *random);

#endif
