/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/cluster/members.h"

#include "tests/cluster/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

extern const struct algorithm ledger;

struct member member[MEMBERS_MOST];

static void fail(const char *what)
{
	fprintf(stderr, "cluster: %s\n", what);
	node_stop();
	exit(1);
}

static void *pass(void *context)
{
	struct member *me = context;
	enum etcd_outcome outcome = ETCD_WAITS;

	while (outcome == ETCD_WAITS) {
		etcd_wait(me->etcd, INT64_MAX, NULL, 0);
		outcome = etcd_poll(me->etcd, &ledger);
	}
	if (outcome != ETCD_INSIDE)
		fail("a waiter was stopped");
	me->entered = me->leaves = wire_now();
	etcd_leave(me->etcd, &ledger);
	return NULL;
}

static void arrive(struct member *me, const struct member_settings *settings)
{
	static unsigned pools;
	const bool first = me == member;
	char root[32];

	pools += first;
	snprintf(root, sizeof root, "bench/pool-%u", pools);
	memset(me->own, 0, sizeof me->own);
	me->etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = &settings->node,
			     .count = 1,
			     .patience_ms = 60000 },
		.root = root,
		.k = 1,
		.seconds = settings->seconds,
		.member = "{\"host\":\"bench\",\"pid\":1}",
		.own = me->own,
		.watch_all = settings->watch_all });
	if (!me->etcd || (first && etcd_create_pool(me->etcd) != ETCD_DONE))
		fail("no pool in etcd");
	if (etcd_doorway(me->etcd, &ledger) !=
	    (first ? ETCD_INSIDE : ETCD_WAITS))
		fail("a member did not arrive as expected");
	me->ticket = (uint64_t)queue_ticket(&me->etcd->replica,
					    me->etcd->lease->id);
}

void members_begin(const struct member_settings *settings)
{
	arrive(&member[0], settings);
}

void members_arrive(const struct member_settings *settings, unsigned waiters)
{
	for (unsigned i = 1; i <= waiters; i++) {
		arrive(&member[i], settings);
		if (pthread_create(&member[i].thread, NULL, pass, &member[i]))
			fail("no thread for a waiter");
	}
}

void members_pass(unsigned waiters)
{
	member[0].leaves = wire_now();
	etcd_leave(member[0].etcd, &ledger);
	for (unsigned i = 1; i <= waiters; i++)
		pthread_join(member[i].thread, NULL);
}

void members_end(unsigned waiters)
{
	for (unsigned i = 0; i <= waiters; i++)
		etcd_close(member[i].etcd, INT64_MAX);
}

void members_raise_limit(void)
{
	struct rlimit limit;

	/* A waiter has two connections. */
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}
