/* SPDX-License-Identifier: BSD-2-Clause */
#include "crowd.h"

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
 * Counted with relaxed accesses, and one that is not atomic at all: who counts
 * must not put the order there that the algorithm owes.
 */
struct gauge {
	struct crowd *crowd;
	struct atmost *object;
	pthread_barrier_t start;
	atomic_uint inside;
	atomic_uint most;
	atomic_uint owner[SLOTS];
	atomic_bool broken;
	uint64_t alone; /* k = 1: incremented inside by all */
};

struct visitor {
	pthread_t thread;
	struct gauge *gauge;
	uint64_t random;
	uint64_t passages, timeouts;
};

double crowd_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double crowd_cpu(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

struct timespec crowd_deadline(int64_t nanoseconds)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	nanoseconds += at.tv_nsec;
	at.tv_sec += nanoseconds / 1000000000;
	at.tv_nsec = nanoseconds % 1000000000;
	return at;
}

double crowd_seconds(double usual)
{
	const char *wanted = getenv("ATMOST_STRESS_SECONDS");
	const char *share = getenv("ATMOST_STRESS_SHARE");

	if (wanted)
		return atof(wanted);
	return share ? usual * atof(share) : usual;
}

uint64_t crowd_seed(void)
{
	static uint64_t seed;
	const char *wanted = getenv("ATMOST_SEED");

	if (seed == 0) {
		seed = wanted ? strtoull(wanted, NULL, 0)
			      : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
		print_message("ATMOST_SEED=%#jx\n", (uintmax_t)seed);
	}
	return seed;
}

/* splitmix64 */
uint64_t crowd_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static const char *watch_message;

static void bark(int signal)
{
	(void)signal;
	_exit(write(2, watch_message, strlen(watch_message)) > 0 ? 1 : 2);
}

void crowd_watch(unsigned seconds, const char *message)
{
	watch_message = message;
	signal(SIGALRM, bark);
	alarm(seconds + (unsigned)(100 * crowd_seconds(0)));
}

int crowd_restore(void **state)
{
	static struct wait_policy usual;
	static bool known;

	(void)state;
	if (!known)
		usual = wait_policy;
	known = true;
	wait_policy = usual;
	alarm(0);
	return 0;
}

const struct algorithm *crowd_algorithm(size_t i)
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

unsigned crowd_k(const struct algorithm *a, unsigned most)
{
	if (a->simulated_only || a->kind == KIND_GROUP_EXCLUSION ||
	    a->kind == KIND_OBJECT)
		return 0;
	return a->limits.most_k && a->limits.most_k < most ? a->limits.most_k
							   : most;
}

struct atmost *crowd_object(const struct crowd *crowd)
{
	const struct algorithm *a = crowd->algorithm;
	struct atmost_shape shape = {
		.kind = a->kind == KIND_K_ASSIGNMENT ? ATMOST_ASSIGNMENT
						     : ATMOST_EXCLUSION,
		.k = crowd->k,
		.members = crowd->threads,
		.algorithm = a->name,
	};
	struct atmost *object;

	if (atmost_create(&object, &shape) < 0)
		fail_msg("%s: %s", a->name, atmost_detail());
	return object;
}

/* Busy for up to 2 us or so; now and then somebody else is let run. */
static void work(uint64_t *random)
{
	uint64_t turns = crowd_random(random) % 512;

	if (turns == 0)
		sched_yield();
	for (; turns > 0; turns--)
		__asm__ volatile("" ::: "memory");
}

static void stay(struct gauge *g, struct visitor *me, int slot)
{
	unsigned k = g->crowd->k, now, most;
	bool owned = g->crowd->algorithm->promises & UNIQUE_SLOTS;

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
	if (g->crowd->stay_us)
		usleep(g->crowd->stay_us);
	else
		work(&me->random);
	if (owned)
		atomic_store_explicit(&g->owner[slot % SLOTS], 0,
				      memory_order_relaxed);
	atomic_fetch_sub_explicit(&g->inside, 1, memory_order_relaxed);
}

static int enter(struct visitor *me, struct atmost_member *member)
{
	int64_t patience = me->gauge->crowd->patience;
	struct timespec deadline;
	struct atmost_want want = { .deadline = &deadline };

	if (patience == 0)
		return atmost_enter(member, NULL);
	deadline = crowd_deadline(
		(int64_t)(crowd_random(&me->random) % (uint64_t)patience));
	return atmost_enter(member, &want);
}

static void *visit(void *argument)
{
	struct visitor *me = argument;
	struct gauge *g = me->gauge;
	struct atmost_member *member;
	double end;

	if (atmost_join(g->object, &member) < 0)
		abort();
	pthread_barrier_wait(&g->start);
	end = crowd_now() + g->crowd->seconds;
	while (me->passages < g->crowd->least || crowd_now() < end) {
		int slot = enter(me, member);

		if (slot == ATMOST_ETIMEDOUT) {
			me->timeouts++;
			continue;
		}
		stay(g, me, slot);
		if (atmost_leave(member) < 0)
			abort();
		me->passages++;
		work(&me->random);
	}
	atmost_part(member);
	return NULL;
}

static long switches(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_nvcsw;
}

/* What all have done; they have gone. */
static void take_stock(struct crowd *crowd, const struct gauge *g,
		       const struct visitor *all)
{
	const struct word *bell = layout_bell(g->object->segment.base);

	crowd->passages = crowd->timeouts = 0;
	for (unsigned i = 0; i < crowd->threads; i++) {
		crowd->passages += all[i].passages;
		crowd->timeouts += all[i].timeouts;
	}
	crowd->most_inside = g->most;
	crowd->rings = bell->gate >> 2;
	crowd->broken = g->broken || g->most > crowd->k || g->inside != 0 ||
			(crowd->k == 1 && g->alone != crowd->passages);
}

void crowd_run(struct crowd *crowd)
{
	struct gauge *g = calloc(1, sizeof *g);
	struct visitor *all = calloc(crowd->threads, sizeof *all);
	uint64_t seed = crowd_seed();
	long switches_before = switches();
	double cpu = crowd_cpu(), wall = crowd_now();

	g->crowd = crowd;
	g->object = crowd_object(crowd);
	pthread_barrier_init(&g->start, NULL, crowd->threads);
	for (unsigned i = 0; i < crowd->threads; i++) {
		all[i].gauge = g;
		all[i].random = crowd_random(&seed);
		assert_int_equal(0, pthread_create(&all[i].thread, NULL, visit,
						   &all[i]));
	}
	for (unsigned i = 0; i < crowd->threads; i++)
		pthread_join(all[i].thread, NULL);
	crowd->wall = crowd_now() - wall;
	crowd->cpu = crowd_cpu() - cpu;
	crowd->switches = switches() - switches_before;
	take_stock(crowd, g, all);
	pthread_barrier_destroy(&g->start);
	atmost_close(g->object);
	free(all);
	free(g);
}
