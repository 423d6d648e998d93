/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster-simulate: how pools in etcd behave at sizes that no test machine has.
 * model.h describes the model; cluster-cost measures its times.  The same seed
 * prints the same numbers.
 */
#include "bench/cluster/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: cluster-simulate queue|pools|clusters|machines [NAME=VALUE...]\n"
	"\n"
	"Simulate pools in etcd and print what happens:\n"
	"  queue     10 to 10,000 waiters of one pool with k = 1\n"
	"  pools     10 to 10,000 pools in one etcd cluster\n"
	"  clusters  10,000 pools in 1 to 8 etcd clusters, by their names\n"
	"  machines  a pool of each machine in front of a pool in etcd\n"
	"\n"
	"Names of values, all in milliseconds: write, read, keep and event, the\n"
	"work of etcd for each; ticket, its work for each ticket of a queue that\n"
	"it searches; commit, until a write is answered; lease.  And:\n"
	"processors, of each etcd cluster; seed.\n";

/* As cluster-cost and cluster-handoff measured them on two busy processors. */
static struct model_costs costs = {
	.write = 1.2,
	.read = 2.2, /* a look, or a new watch */
	.keep = 0.8,
	.event = 0.22,
	.ticket = 0.0024,
	.commit = 1.0,
	.processors = 2,
	.lease = 15000,
};
static uint64_t seed = 1;

/* Each waiter leaves at once, as in cluster-handoff. */
static void simulate_queue(void)
{
	static const unsigned sizes[] = { 10, 100, 300, 1000, 10000 };

	printf("one pool, k = 1; all watch the pool, or the near waiters only\n"
	       "%7s %6s %16s %16s %14s %14s\n",
	       "waiters", "watch", "leave to enter", "95%", "events/handoff",
	       "passages/s");
	for (unsigned i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
		const struct model_settings settings = {
			.costs = costs,
			.clusters = 1,
			.pools = 1,
			.k = 1,
			.at_once = sizes[i / 2] + 1,
			.watch_all = i % 2,
			.seed = seed,
		};
		const struct model_result r = model_run(&settings);

		printf("%7u %6s %13.1f ms %13.1f ms %14.1f %14.1f\n",
		       sizes[i / 2], i % 2 ? "all" : "near", r.handoff,
		       r.handoff_95,
		       (double)r.events / (double)(r.passages - 1),
		       (double)r.passages / r.seconds);
	}
}

static unsigned any_pool(uint64_t *random, unsigned pools)
{
	return model_below(random, pools);
}

static void simulate_pools(void)
{
	static const unsigned sizes[] = { 10, 100, 1000, 3000, 10000 };

	printf("pools with k = 2 in one etcd cluster; a passage per pool and "
	       "minute that holds for 20 s\n"
	       "%7s %11s %11s %8s %12s %12s %9s\n",
	       "pools", "passages/s", "requests/s", "busy", "enter",
	       "enter, 95%", "members");
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct model_settings settings = {
			.costs = costs,
			.clusters = 1,
			.pools = sizes[i],
			.k = 2,
			.hold = 20000,
			.per_second = sizes[i] / 60.0,
			.end = 120000,
			.pick_pool = any_pool,
			.seed = seed,
		};
		const struct model_result r = model_run(&settings);

		printf("%7u %11.1f %11.1f %7.0f%% %9.1f ms %9.1f ms %9.0f\n",
		       sizes[i], (double)r.passages / r.seconds,
		       (double)r.requests / r.seconds +
			       (r.held + r.waiters) * 3000 / costs.lease,
		       100 * r.busy, r.enter, r.enter_95, r.held + r.waiters);
	}
}

/* The checksum of POSIX, which the command cksum prints. */
static uint32_t cksum(const char *text)
{
	size_t length = strlen(text);
	uint32_t sum = 0;

	for (size_t i = 0; i < length + sizeof length; i++) {
		uint8_t byte;

		if (i < length)
			byte = (uint8_t)text[i];
		else if (length >> 8 * (i - length))
			byte = (uint8_t)(length >> 8 * (i - length));
		else
			break;
		sum ^= (uint32_t)byte << 24;
		for (unsigned bit = 0; bit < 8; bit++)
			sum = sum & 0x80000000 ? sum << 1 ^ 0x04c11db7
					       : sum << 1;
	}
	return ~sum;
}

static unsigned cluster_by_name(unsigned pool, unsigned clusters)
{
	char name[32];

	snprintf(name, sizeof name, "pool-%u", pool);
	return cksum(name) % clusters;
}

/* A few pools are popular: the i-th with a weight of 1/i. */
static unsigned popular_pool(uint64_t *random, unsigned pools)
{
	return (unsigned)exp(model_uniform(random) * log(pools + 1.0)) - 1;
}

static void simulate_clusters(void)
{
	static const unsigned sizes[] = { 1, 2, 4, 8 };

	printf("10000 pools with k = 128, some popular; 600 passages/s that hold "
	       "for 1 s\n"
	       "%9s %8s %10s %12s %12s %12s\n",
	       "clusters", "busy", "busiest", "enter", "enter, 95%",
	       "wait, 95%");
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct model_settings settings = {
			.costs = costs,
			.clusters = sizes[i],
			.pools = 10000,
			.k = 128,
			.hold = 1000,
			.per_second = 600,
			.end = 60000,
			.pick_pool = popular_pool,
			.cluster_of = cluster_by_name,
			.seed = seed,
		};
		const struct model_result r = model_run(&settings);

		printf("%9u %7.0f%% %9.0f%% %9.1f ms %9.1f ms %10.1f s\n",
		       sizes[i], 100 * r.busy, 100 * r.busiest, r.enter,
		       r.enter_95, r.wait_95 / 1000);
	}
}

static unsigned any_machine(uint64_t *random, unsigned machines)
{
	return model_below(random, machines);
}

/* A tenth of the machines has half of the load. */
static unsigned uneven_machine(uint64_t *random, unsigned machines)
{
	return model_uniform(random) < 0.5 ? model_below(random, machines / 10)
					   : model_below(random, machines);
}

static void simulate_machines(void)
{
	static const unsigned locals[] = { 0, 8, 4, 2, 1 };

	printf("100 machines, k = 64 in etcd; 9 jobs/s of 10 s each, for 10 "
	       "minutes\n"
	       "%-9s %8s %14s %12s %11s %10s %10s\n",
	       "load", "local k", "etcd's waiters", "at most", "requests/s",
	       "slots used", "jobs/s");
	for (unsigned i = 0; i < 2 * sizeof locals / sizeof *locals; i++) {
		const bool uneven = i >= sizeof locals / sizeof *locals;
		const unsigned local =
			locals[i % (sizeof locals / sizeof *locals)];
		const struct model_settings settings = {
			.costs = costs,
			.clusters = 1,
			.pools = 1,
			.machines = 100,
			.k = 64,
			.local_k = local,
			.hold = 10000,
			.per_second = 9,
			.end = 600000,
			.pick_machine = uneven ? uneven_machine : any_machine,
			.seed = seed,
		};
		const struct model_result r = model_run(&settings);
		char text[16];

		snprintf(text, sizeof text, local ? "%u" : "none", local);
		printf("%-9s %8s %14.1f %12u %11.1f %10.1f %10.2f\n",
		       uneven ? "uneven" : "even", text, r.waiters,
		       r.waiters_most,
		       (double)r.requests / r.seconds +
			       (r.held + r.waiters) * 3000 / costs.lease,
		       r.held, (double)r.passages / r.seconds);
	}
}

/* Reads NAME=VALUE; returns false if there is no such name. */
static bool set_value(const char *text)
{
	static const struct {
		const char *name;
		double *value;
	} names[] = { { "write=", &costs.write }, { "read=", &costs.read },
		      { "keep=", &costs.keep },   { "ticket=", &costs.ticket },
		      { "event=", &costs.event }, { "commit=", &costs.commit },
		      { "lease=", &costs.lease } };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const size_t length = strlen(names[i].name);

		if (strncmp(text, names[i].name, length) == 0) {
			*names[i].value = strtod(text + length, NULL);
			return *names[i].value > 0;
		}
	}
	if (strncmp(text, "processors=", 11) == 0)
		costs.processors = (unsigned)strtoul(text + 11, NULL, 10);
	else if (strncmp(text, "seed=", 5) == 0)
		seed = strtoull(text + 5, NULL, 10);
	else
		return false;
	return costs.processors > 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*simulate)(void);
	} kinds[] = { { "queue", simulate_queue },
		      { "pools", simulate_pools },
		      { "clusters", simulate_clusters },
		      { "machines", simulate_machines } };
	void (*simulate)(void) = NULL;

	for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(argv[1], kinds[i].name) == 0)
			simulate = kinds[i].simulate;
	for (int i = 2; i < argc; i++)
		if (!set_value(argv[i]))
			simulate = NULL;
	if (!simulate) {
		fputs(usage, stderr);
		return 2;
	}
	simulate();
	return 0;
}
