/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reclaim: measures how long it takes from kill -9 of a holder until a waiter
 * is inside.  All locks are tried in turn, so that the same machine load
 * affects all of them.
 */
#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/options.h"
#include "bench/common/workers.h"
#include "bench/reclaim/locks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIALS = 101, TRIALS_MOST = 100000 };

static const char usage[] =
	"usage: reclaim [TRIALS] [--samples]\n"
	"\n"
	"Measure the time from kill -9 of a holder until a waiter is inside, TRIALS\n"
	"times for each lock (1 to 100000; default: 101).\n"
	"\n"
	"  --samples    print every sample, too\n";

/* Values that the holder and the waiter set for the parent. */
struct shared {
	atomic_bool held, waits;
	_Atomic int64_t inside; /* the time at which the waiter was inside */
};

static struct shared *shared;
static char folder[64];

static void fail(const char *why)
{
	perror(why);
	rmdir(folder);
	exit(1);
}

static void hold(void *of)
{
	const struct lock *lock = of;

	if (!lock->join(1) || !lock->enter())
		_exit(1);
	atomic_store(&shared->held, true);
	for (;;)
		pause();
}

static void wait_for_holder(void *of)
{
	const struct lock *lock = of;

	if (!lock->join(2))
		_exit(1);
	atomic_store(&shared->waits, true);
	if (!lock->enter())
		_exit(1);
	atomic_store(&shared->inside, clock_now());
	_exit(lock->leave() ? 0 : 1);
}

static void start(struct worker *w, void (*run)(void *),
		  const struct lock *lock)
{
	if (!worker_start(w, true, run, (void *)lock))
		fail("fork");
}

/* Gives up after some time, because a child that fails never sets its flag. */
static void await(const atomic_bool *flag)
{
	enum { PATIENCE = 100000 };

	for (unsigned i = 0; !atomic_load(flag); i++) {
		if (i == PATIENCE)
			fail("a child hangs");
		usleep(100);
	}
}

/*
 * Returns the nanoseconds from right before the kill until the waiter was
 * inside.
 */
static int64_t try_once(const struct lock *lock)
{
	struct worker holder, waiter;
	int64_t killed;
	int status;

	atomic_store(&shared->held, false);
	atomic_store(&shared->waits, false);
	atomic_store(&shared->inside, 0);
	start(&holder, hold, lock);
	await(&shared->held);
	start(&waiter, wait_for_holder, lock);
	await(&shared->waits);
	await_sleep(waiter.pid, waiter.pid);
	usleep(5000); /* until the waiter has stopped spinning and yielding */
	killed = clock_now();
	kill(holder.pid, SIGKILL);
	if (waitpid(waiter.pid, &status, 0) < 0 || status != 0)
		fail("the waiter");
	worker_join(&holder);
	return atomic_load(&shared->inside) - killed;
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Computes the quantile by nearest rank. */
static double quantile(const int64_t *sorted, unsigned count, unsigned percent)
{
	unsigned rank = (count * percent + 99) / 100;

	return (double)sorted[rank > 0 ? rank - 1 : 0] / 1000;
}

static void print(const struct lock *lock, const int64_t *sample,
		  unsigned count)
{
	printf("%s, ns:", lock->name);
	for (unsigned i = 0; i < count; i++)
		printf(" %jd", (intmax_t)sample[i]);
	printf("\n");
}

/* The least, the median, p90, p99, the most. */
static const unsigned percents[] = { 0, 50, 90, 99, 100 };

static void report(const struct lock *lock, int64_t *sample, unsigned count)
{
	qsort(sample, count, sizeof *sample, by_size);
	printf("%-16s %6u", lock->name, count);
	for (unsigned i = 0; i < sizeof percents / sizeof *percents; i++)
		printf(" %10.1f", quantile(sample, count, percents[i]));
	printf("\n");
}

static void prepare(void)
{
	const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm"
							   : "/tmp";

	snprintf(folder, sizeof folder, "%s/atmost-reclaim-XXXXXX", memory);
	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1) < 0)
		fail(folder);
	shared = map_shared(sizeof *shared);
	if (!shared)
		fail("mmap");
}

/* Each trial makes a new lock, so that no trial affects the next. */
static void measure(int64_t *sample[], unsigned trials)
{
	for (unsigned t = 0; t < trials; t++)
		for (unsigned i = 0; i < LOCKS; i++) {
			const struct lock *lock = &reclaim_locks[i];

			if (!lock->make(lock))
				fail(lock->name);
			sample[i][t] = try_once(lock);
			lock->remove();
		}
}

static int run(const struct options *o)
{
	const long wanted = o->operand_count ? atol(o->operands[0]) : TRIALS;
	const unsigned trials = (unsigned)wanted;
	int64_t *sample[LOCKS];

	if (wanted < 1 || wanted > TRIALS_MOST)
		return usage_error("TRIALS is '%s'; it must be from 1 to %d",
				   o->operands[0], TRIALS_MOST);
	prepare();
	for (unsigned i = 0; i < LOCKS; i++) {
		sample[i] = calloc(trials, sizeof *sample[i]);
		if (!sample[i])
			fail("calloc");
	}
	measure(sample, trials);
	rmdir(folder);
	for (unsigned i = 0; o->samples && i < LOCKS; i++)
		print(&reclaim_locks[i], sample[i], trials);
	printf("From kill -9 of the holder until the waiter is inside, us\n\n"
	       "%-16s %6s %10s %10s %10s %10s %10s\n",
	       "", "trials", "least", "median", "p90", "p99", "most");
	for (unsigned i = 0; i < LOCKS; i++) {
		report(&reclaim_locks[i], sample[i], trials);
		free(sample[i]);
	}
	return EXIT_FINE;
}

static const char *const options[] = { "samples", NULL };

const struct bench bench = {
	.name = "reclaim",
	.usage = usage,
	.options = options,
	.most_operands = 1,
	.run = run,
};
