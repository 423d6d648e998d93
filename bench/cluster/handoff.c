/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster-handoff: measures how long it takes from a leave to the next enter in
 * a pool with k = 1 in etcd, with many waiters.  Every waiter arrives, in order;
 * then the holder leaves, and each waiter leaves as soon as it is inside.  All
 * waiters are threads of this program.
 */
#include "bench/cluster/metrics.h"
#include "passage.h"
#include "tests/cluster/node.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 5000, SECONDS = 120, OWN = 16, ROOM = 64 };

static const char usage[] =
	"usage: cluster-handoff [--all] [WAITERS...]\n"
	"\n"
	"Measure the time from a leave to the next enter in an etcd that the\n"
	"program starts, with each of these numbers of waiters (1 to 5000;\n"
	"default: 10 100).  The columns: the median and the 95th percentile\n"
	"of the times; events that etcd sent per handoff; requests per\n"
	"passage; processor time per passage, that of etcd and that of all\n"
	"waiters together; waiters that entered before an earlier one.\n"
	"\n"
	"  --all    every waiter watches the whole pool, however far it is\n"
	"           from the head of the queue\n";

extern const struct algorithm ledger;

struct member {
	struct etcd *etcd;
	pthread_t thread;
	uint64_t ticket; /* when it arrived, as a stamp */
	uint64_t own[OWN];
	int64_t entered, leaves;
};

static struct member member[MOST + 1];

static void fail(const char *what)
{
	fprintf(stderr, "cluster-handoff: %s\n", what);
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

/* Member 0 becomes the holder, the others wait. */
static void arrive(struct member *me, const char *node, const char *root,
		   bool all)
{
	const bool first = me == member;

	memset(me->own, 0, sizeof me->own);
	me->etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = &node,
			     .count = 1,
			     .patience_ms = 60000 },
		.root = root,
		.k = 1,
		.seconds = SECONDS,
		.member = "{\"host\":\"bench\",\"pid\":1}",
		.own = me->own,
		.watch_all = all });
	if (!me->etcd || (first && etcd_create_pool(me->etcd) != ETCD_DONE))
		fail("no pool in etcd");
	if (etcd_doorway(me->etcd, &ledger) !=
	    (first ? ETCD_INSIDE : ETCD_WAITS))
		fail("a member did not arrive as expected");
	me->ticket = (uint64_t)queue_ticket(&me->etcd->replica,
					    me->etcd->lease->id);
	if (!first && pthread_create(&me->thread, NULL, pass, me) != 0)
		fail("no thread for a waiter");
}

static double own_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Returns how many waiters entered before one that had arrived earlier. */
static unsigned inversions(unsigned waiters)
{
	unsigned count = 0;

	for (unsigned i = 2; i <= waiters; i++)
		count += member[i].ticket > member[i - 1].ticket &&
			 member[i].entered < member[i - 1].entered;
	return count;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_row(unsigned waiters, bool all, const struct metrics *passed,
		      const struct metrics *handed, double seconds)
{
	static double time[MOST];
	const double n = waiters;

	for (unsigned i = 1; i <= waiters; i++)
		time[i - 1] = (double)(member[i].entered -
				       member[i - 1].leaves) /
			      1e6;
	qsort(time, waiters, sizeof *time, compare);
	printf("%7u  %-5s %8.2f %8.2f %9.1f %9.2f %9.2f %9.2f %6u\n", waiters,
	       all ? "all" : "near", time[waiters / 2],
	       time[waiters * 95 / 100], handed->events / n,
	       passed->requests / n, passed->seconds / n * 1e3,
	       seconds / n * 1e3, inversions(waiters));
	fflush(stdout);
}

static void measure(const char *node, unsigned waiters, bool all)
{
	struct metrics before, arrived, after, passed, handed;
	static unsigned pools;
	char root[ROOM];
	double seconds;

	snprintf(root, sizeof root, "bench/handoff-%u", ++pools);
	arrive(&member[0], node, root, all);
	before = metrics_read();
	seconds = own_seconds();
	for (unsigned i = 1; i <= waiters; i++)
		arrive(&member[i], node, root, all);
	arrived = metrics_read();
	member[0].leaves = wire_now();
	etcd_leave(member[0].etcd, &ledger);
	for (unsigned i = 1; i <= waiters; i++)
		pthread_join(member[i].thread, NULL);
	seconds = own_seconds() - seconds;
	after = metrics_read();
	passed = metrics_between(&before, &after);
	handed = metrics_between(&arrived, &after);
	print_row(waiters, all, &passed, &handed, seconds);
	for (unsigned i = 0; i <= waiters; i++)
		etcd_close(member[i].etcd, INT64_MAX);
}

static void raise_limit(void)
{
	struct rlimit limit;

	/* A waiter has two connections. */
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int main(int argc, char **argv)
{
	unsigned count[ROOM] = { 10, 100 }, counts = 0;
	const char *node;
	bool all = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0) {
			all = true;
			continue;
		}
		if (counts < ROOM)
			count[counts] = (unsigned)strtoul(argv[i], NULL, 10);
		if (counts == ROOM || !count[counts] || count[counts] > MOST) {
			fputs(usage, stderr);
			return 2;
		}
		counts++;
	}
	if (counts == 0)
		counts = 2;
	raise_limit();
	node = node_start(NULL);
	printf("                leave to enter, ms    events  requests   "
	       "processor ms   inver-\n"
	       "waiters  watch   median      95%%  /handoff  /passage      "
	       "etcd   waiters   sions\n");
	for (unsigned i = 0; i < counts; i++)
		measure(node, count[i], all);
	node_stop();
	return 0;
}
