/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster-handoff: measures how long it takes from a leave to the next enter in
 * a pool with k = 1 in etcd, with many waiters.  The waiters arrive one after
 * the other.  Then the holder leaves, and each waiter leaves as soon as it is
 * inside.  All waiters are threads of this program.
 */
#include "bench/cluster/members.h"
#include "bench/cluster/metrics.h"
#include "tests/cluster/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = MEMBERS_MOST - 1, SECONDS = 120, ROOM = 64 };

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

static double own_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Returns how many waiters entered before a waiter that had arrived earlier. */
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

static void measure(const struct member_settings *settings, unsigned waiters)
{
	struct metrics before, arrived, after, passed, handed;
	double seconds;

	members_begin(settings);
	before = metrics_read();
	seconds = own_seconds();
	members_arrive(settings, waiters);
	arrived = metrics_read();
	members_pass(waiters);
	seconds = own_seconds() - seconds;
	after = metrics_read();
	passed = metrics_between(&before, &after);
	handed = metrics_between(&arrived, &after);
	print_row(waiters, settings->watch_all, &passed, &handed, seconds);
	members_end(waiters);
}

int main(int argc, char **argv)
{
	unsigned count[ROOM] = { 10, 100 }, counts = 0;
	struct member_settings settings = { .seconds = SECONDS };

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0) {
			settings.watch_all = true;
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
	members_raise_limit();
	settings.node = node_start(NULL);
	printf("                leave to enter, ms    events  requests   "
	       "processor ms   inver-\n"
	       "waiters  watch   median      95%%  /handoff  /passage      "
	       "etcd   waiters   sions\n");
	for (unsigned i = 0; i < counts; i++)
		measure(&settings, count[i]);
	node_stop();
	return 0;
}
