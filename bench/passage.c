/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * passage WAY COUNT: makes passages of k-ticket without contention, in one of
 * four ways.  Prints how many nanoseconds a passage takes.  The script
 * bench/passage counts the instructions of the function pass_WAY with
 * callgrind.
 */
#include "algorithms/registry.h"
#include "atmost/atmost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEEP __attribute__((noinline))

enum { K = 4 };

/* Runs only the loop, which all the measured functions have; the compiler must
 * not remove it. */
KEEP static void pass_empty(unsigned long count)
{
	for (; count > 0; count--)
		__asm__ volatile("" ::: "memory");
}

/*
 * The least possible work: two atomic additions and a read, without sleep or
 * wake.
 */
struct bare {
	_Alignas(64) _Atomic uint64_t next;
	_Alignas(64) _Atomic uint64_t served;
	_Alignas(64) uint64_t k;
};

KEEP static void pass_bare(unsigned long count, struct bare *b)
{
	for (; count > 0; count--) {
		uint64_t ticket = atomic_fetch_add(&b->next, 1);

		while (ticket >= atomic_load(&b->served) + b->k)
			continue;
		__asm__ volatile("" ::: "memory");
		atomic_fetch_add(&b->served, 1);
	}
}

/* Calls the algorithm through its table. */
KEEP static void pass_table(unsigned long count, const struct algorithm *a,
			    void *shared, struct process *self)
{
	for (; count > 0; count--) {
		a->enter(shared, self);
		__asm__ volatile("" ::: "memory");
		a->leave(shared, self);
	}
}

/* Calls the library through its public interface. */
KEEP static void pass_api(unsigned long count, struct atmost_member *me)
{
	for (; count > 0; count--) {
		atmost_enter(me, NULL);
		__asm__ volatile("" ::: "memory");
		atmost_leave(me);
	}
}

static void run_bare(unsigned long count)
{
	static struct bare bare = { .k = K };

	pass_bare(count, &bare);
}

static void run_table(unsigned long count)
{
	static _Alignas(64) struct word words[16]; /* as init() leaves them */
	const struct shape shape = { .n = 1, .k = K };
	struct process self = { .shape = &shape };

	pass_table(count, registry_find("k-ticket"), words, &self);
}

static void run_api(unsigned long count)
{
	struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = K,
		.algorithm = "k-ticket",
	};
	struct atmost *pool;
	struct atmost_member *me;

	if (atmost_create(&pool, &shape) < 0 || atmost_join(pool, &me) < 0)
		exit(1);
	pass_api(count, me);
	atmost_close(pool);
}

static const struct way {
	const char *name;
	void (*run)(unsigned long);
} ways[] = {
	{ "empty", pass_empty },
	{ "bare", run_bare },
	{ "table", run_table },
	{ "api", run_api },
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	for (size_t i = 0; count && i < sizeof ways / sizeof *ways; i++) {
		double start = seconds();

		if (strcmp(ways[i].name, argv[1]) != 0)
			continue;
		ways[i].run(count);
		printf("%.2f\n", (seconds() - start) * 1e9 / (double)count);
		return 0;
	}
	fprintf(stderr, "usage: passage empty|bare|table|api COUNT\n");
	return 2;
}
