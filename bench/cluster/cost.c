/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster-cost: what a pool costs etcd, as etcd counts it: requests, events and
 * processor time per passage, and per waiter and minute.
 */
#include "bench/cluster/members.h"
#include "bench/cluster/metrics.h"
#include "tests/cluster/node.h"

#include <stdio.h>

enum {
	PASSAGES = 200,
	NEAR = 19,    /* the waiters that know all tickets before their own */
	LONG = 300,   /* a queue with far waiters */
	LEASE = 15,   /* the default of atmost run */
	SHORT = 5,    /* a lease for waiters that only wait */
	WAITERS = 50, /* how many only wait */
	WAIT = 10     /* how many seconds they wait */
};

extern const struct algorithm ledger;

static void print_row(const char *what, const struct metrics *m, double count)
{
	printf("%-30s %6.2f %6.2f %6.2f %6.2f %6.2f %7.1f %7.2f\n", what,
	       m->grants / count, m->transactions / count, m->revokes / count,
	       m->watches / count, m->keepalives / count, m->events / count,
	       m->seconds / count * 1e3);
}

static void pass_alone(const struct member_settings *settings)
{
	struct metrics before, after, cost;

	members_begin(settings);
	etcd_leave(member[0].etcd, &ledger);
	before = metrics_read();
	for (unsigned i = 0; i < PASSAGES; i++) {
		etcd_doorway(member[0].etcd, &ledger);
		etcd_leave(member[0].etcd, &ledger);
	}
	after = metrics_read();
	cost = metrics_between(&before, &after);
	print_row("a passage, no waiters", &cost, PASSAGES);
	members_end(0);
}

static void pass_queue(const struct member_settings *settings, unsigned waiters)
{
	struct metrics before, after, cost;
	char what[40];

	members_begin(settings);
	before = metrics_read();
	members_arrive(settings, waiters);
	members_pass(waiters);
	after = metrics_read();
	cost = metrics_between(&before, &after);
	snprintf(what, sizeof what, "a passage, queue of %u", waiters);
	print_row(what, &cost, waiters);
	members_end(waiters);
}

/* Members that wait and do nothing else; the row is that of a lease of 15 s. */
static void wait_only(const struct member_settings *settings)
{
	const double leases = (double)WAIT / SHORT * WAITERS;
	struct metrics before, after, cost;
	int64_t until;

	members_begin(settings);
	members_arrive(settings, WAITERS);
	before = metrics_read();
	until = wire_now() + WAIT * (int64_t)1000000000;
	while (etcd_pump(member[0].etcd, until, NULL, 0))
		; /* the holder keeps its lease */
	after = metrics_read();
	cost = metrics_between(&before, &after);
	print_row("a waiter, per minute", &cost, leases / (60.0 / LEASE));
	members_pass(WAITERS);
	members_end(WAITERS);
}

int main(void)
{
	struct member_settings settings = { .seconds = 120 };

	members_raise_limit();
	settings.node = node_start(NULL);
	printf("%-30s %6s %6s %6s %6s %6s %7s %7s\n", "", "grant", "txn",
	       "revoke", "watch", "keep", "events", "etcd ms");
	pass_alone(&settings);
	pass_queue(&settings, NEAR);
	pass_queue(&settings, LONG);
	settings.seconds = SHORT;
	wait_only(&settings);
	node_stop();
	return 0;
}
