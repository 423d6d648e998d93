/* SPDX-License-Identifier: BSD-2-Clause */
#include "workers.h"

#include "runtime/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { SLOTS = 64 };

/*
 * Workers count with relaxed accesses, and `alone` is not atomic at all: the
 * counters must not create the order that the algorithm has to create.
 */
struct counters {
	struct workers *workers;
	struct atmost *pool;
	pthread_barrier_t start;
	atomic_uint arrived; /* workers that have passed `start` */
	atomic_uint inside;
	atomic_uint most;
	atomic_uint owner[SLOTS];
	atomic_bool broken;
	uint64_t alone; /* k = 1: every holder increments it */
};

struct worker {
	pthread_t thread;
	struct counters *counters;
	atomic_int tid;
	uint64_t random;
	uint64_t passages, timeouts;
};

static double processor_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int workers_restore(void **state)
{
	static struct wait_policy usual;
	static bool known;

	(void)state;
	if (!known)
		usual = wait_policy;
	known = true;
	wait_policy = usual;
	watchdog_stop();
	return 0;
}

const struct algorithm *workers_algorithm(size_t i)
{
	const struct algorithm *base, *a;

	for (size_t b = 0; (base = registry_at(b)) != NULL; b++) {
		if (i-- == 0)
			return base;
		for (size_t c = 0; (a = registry_composed_at(base, c)) != NULL;
		     c++)
			if (i-- == 0)
				return a;
	}
	return NULL;
}

unsigned workers_k(const struct algorithm *a, unsigned most)
{
	if (!algorithm_is_native(a) || a->kind == KIND_GROUP_EXCLUSION ||
	    a->kind == KIND_OBJECT)
		return 0;
	return a->limits.most_k && a->limits.most_k < most ? a->limits.most_k
							   : most;
}

struct atmost *workers_pool(const struct workers *workers)
{
	const struct algorithm *a = workers->algorithm;
	struct atmost_shape shape = {
		.kind = a->kind == KIND_K_ASSIGNMENT ? ATMOST_ASSIGNMENT
						     : ATMOST_EXCLUSION,
		.k = workers->k,
		.members = workers->threads +
			   (workers->sleep_first ? workers->k : 0),
		.algorithm = a->name,
	};
	struct atmost *pool;

	if (atmost_create(&pool, &shape) < 0)
		fail_msg("%s: %s", a->name, atmost_detail());
	return pool;
}

/* Spins for up to about 2 us; now and then yields instead. */
static void spin(uint64_t *random)
{
	uint64_t turns = prng_next(random) % 512;

	if (turns == 0)
		sched_yield();
	for (; turns > 0; turns--)
		__asm__ volatile("" ::: "memory");
}

static void stay_inside(struct counters *g, struct worker *me, int slot)
{
	unsigned k = g->workers->k, now, most;
	bool owned = g->workers->algorithm->promises & UNIQUE_SLOTS;

	now = 1 +
	      atomic_fetch_add_explicit(&g->inside, 1, memory_order_relaxed);
	most = atomic_load_explicit(&g->most, memory_order_relaxed);
	while (now > most &&
	       !atomic_compare_exchange_weak_explicit(&g->most, &most, now,
						      memory_order_relaxed,
						      memory_order_relaxed))
		continue;
	if (k == 1)
		g->alone++;
	if (slot < 0 || slot >= (int)k ||
	    (owned && atomic_exchange_explicit(&g->owner[slot % SLOTS], 1,
					       memory_order_relaxed)))
		g->broken = true;
	if (g->workers->stay_us)
		usleep(g->workers->stay_us);
	else
		spin(&me->random);
	if (owned)
		atomic_store_explicit(&g->owner[slot % SLOTS], 0,
				      memory_order_relaxed);
	atomic_fetch_sub_explicit(&g->inside, 1, memory_order_relaxed);
}

static int enter(struct worker *me, struct atmost_member *member)
{
	int64_t patience = me->counters->workers->patience;
	struct timespec deadline;
	struct atmost_want want = { .deadline = &deadline };

	if (patience == 0)
		return atmost_enter(member, NULL);
	deadline = clock_deadline(
		(int64_t)(prng_next(&me->random) % (uint64_t)patience));
	return atmost_enter(member, &want);
}

static void *make_passages(void *argument)
{
	struct worker *me = argument;
	struct counters *g = me->counters;
	struct atmost_member *member;
	double end;

	if (atmost_join(g->pool, &member) < 0)
		abort();
	me->tid = gettid();
	pthread_barrier_wait(&g->start);
	g->arrived++;
	end = clock_seconds() + g->workers->seconds;
	while (me->passages < g->workers->least || clock_seconds() < end) {
		int slot = enter(me, member);

		if (slot == ATMOST_ETIMEDOUT) {
			me->timeouts++;
			continue;
		}
		stay_inside(g, me, slot);
		if (atmost_leave(member) < 0)
			abort();
		me->passages++;
		spin(&me->random);
	}
	atmost_part(member);
	return NULL;
}

static bool all_sleep(const struct counters *g, const struct worker *all)
{
	if (g->arrived < g->workers->threads)
		return false;
	for (unsigned i = 0; i < g->workers->threads; i++)
		if (!thread_sleeps(all[i].tid))
			return false;
	return true;
}

static void hold_all_slots(struct counters *g, struct atmost_member **holders)
{
	for (unsigned i = 0; i < g->workers->k; i++)
		if (atmost_join(g->pool, &holders[i]) < 0 ||
		    atmost_enter(holders[i], NULL) < 0)
			fail_msg("%s", atmost_detail());
}

/* The watchdog ends this wait if a worker spins. */
static void free_slots_when_all_sleep(struct counters *g,
				      const struct worker *all,
				      struct atmost_member **holders)
{
	while (!all_sleep(g, all))
		usleep(1000);
	for (unsigned i = 0; i < g->workers->k; i++) {
		assert_int_equal(0, atmost_leave(holders[i]));
		atmost_part(holders[i]);
	}
}

static long switches(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_nvcsw;
}

/* Computes the results; to be called after all workers have ended. */
static void add_up(struct workers *workers, const struct counters *g,
		   const struct worker *all)
{
	const struct word *bell = layout_bell(g->pool->segment.base);

	workers->passages = workers->timeouts = 0;
	for (unsigned i = 0; i < workers->threads; i++) {
		workers->passages += all[i].passages;
		workers->timeouts += all[i].timeouts;
	}
	workers->most_inside = g->most;
	workers->rings = bell->gate >> 2;
	workers->broken = g->broken || g->most > workers->k || g->inside != 0 ||
			  (workers->k == 1 && g->alone != workers->passages);
}

void workers_run(struct workers *workers)
{
	struct counters *g = calloc(1, sizeof *g);
	struct worker *all = calloc(workers->threads, sizeof *all);
	struct atmost_member *holders[SLOTS];
	uint64_t seed = prng_seed();
	long switches_before = switches();
	double cpu = processor_seconds(), wall = clock_seconds();

	watchdog_restart();
	g->workers = workers;
	g->pool = workers_pool(workers);
	if (workers->sleep_first)
		hold_all_slots(g, holders);
	pthread_barrier_init(&g->start, NULL, workers->threads);
	for (unsigned i = 0; i < workers->threads; i++) {
		all[i].counters = g;
		all[i].random = prng_next(&seed);
		assert_int_equal(0, pthread_create(&all[i].thread, NULL,
						   make_passages, &all[i]));
	}
	if (workers->sleep_first)
		free_slots_when_all_sleep(g, all, holders);
	for (unsigned i = 0; i < workers->threads; i++)
		pthread_join(all[i].thread, NULL);
	workers->wall = clock_seconds() - wall;
	workers->cpu = processor_seconds() - cpu;
	workers->switches = switches() - switches_before;
	add_up(workers, g, all);
	pthread_barrier_destroy(&g->start);
	atmost_close(g->pool);
	free(all);
	free(g);
}
