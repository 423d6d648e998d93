/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/bench_threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LINE = 64,
	GRACE_SECONDS = 20 /* the workers' time to end their last passages */
};

/* `inside`, `stop` and `pool` each start a cache line. */
struct shared {
	_Alignas(LINE) unsigned inside; /* number of threads inside */
	_Alignas(LINE) unsigned stop;
	_Alignas(LINE) struct atmost *pool;
	pthread_barrier_t start;
};

struct worker {
	_Alignas(LINE) pthread_t thread;
	struct shared *shared;
	uint64_t session; /* 0: no session */
	uint64_t passages;
	unsigned most_inside;
	double cpu;
	int error;
	char detail[128];
};

static double seconds_on(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(struct worker *w, int error)
{
	w->error = error;
	snprintf(w->detail, sizeof w->detail, "%s", atmost_detail());
}

static void make_passages(struct worker *w, struct atmost_member *me)
{
	struct shared *s = w->shared;
	struct atmost_want want = { .session = w->session };

	while (!__atomic_load_n(&s->stop, __ATOMIC_RELAXED)) {
		unsigned inside;
		int error = atmost_enter(me, w->session ? &want : NULL);

		if (error < 0) {
			fail(w, error);
			return;
		}
		inside = __atomic_add_fetch(&s->inside, 1, __ATOMIC_SEQ_CST);
		if (inside > w->most_inside)
			w->most_inside = inside;
		__atomic_sub_fetch(&s->inside, 1, __ATOMIC_SEQ_CST);
		error = atmost_leave(me);
		if (error < 0) {
			fail(w, error);
			return;
		}
		w->passages++;
	}
}

static void *run(void *argument)
{
	struct worker *w = argument;
	struct atmost_member *me = NULL;
	int error = atmost_join(w->shared->pool, &me);

	if (error)
		fail(w, error);
	pthread_barrier_wait(&w->shared->start);
	if (!error)
		make_passages(w, me);
	atmost_part(me);
	w->cpu = seconds_on(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static bool start_all(struct worker *worker, struct shared *s, unsigned n,
		      bool sessions)
{
	for (unsigned i = 0; i < n; i++) {
		worker[i].shared = s;
		worker[i].session = sessions ? 1 + i % 2 : 0;
		if (pthread_create(&worker[i].thread, NULL, run, &worker[i]))
			return false;
	}
	return true;
}

/* Waits for the end of all workers.  Each leaver lets a waiter in, so every
 * worker can end its last passage. */
static bool join_all(struct worker *worker, unsigned n, char *why, size_t size)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += GRACE_SECONDS;
	for (unsigned i = 0; i < n; i++) {
		if (pthread_timedjoin_np(worker[i].thread, NULL, &until)) {
			snprintf(why, size,
				 "thread %u is still waiting 20 seconds after "
				 "the end of the measurement",
				 i);
			return false;
		}
		if (worker[i].error) {
			snprintf(why, size, "%s", worker[i].detail);
			return false;
		}
	}
	return true;
}

static void sum_up(struct bench_threads_result *to, const struct worker *worker,
		   unsigned n)
{
	to->least = UINT64_MAX;
	for (unsigned i = 0; i < n; i++) {
		uint64_t passages = worker[i].passages;

		to->passages += passages;
		to->cpu += worker[i].cpu;
		to->least = passages < to->least ? passages : to->least;
		to->most = passages > to->most ? passages : to->most;
		if (worker[i].most_inside > to->most_inside)
			to->most_inside = worker[i].most_inside;
	}
}

static void sleep_for(double seconds)
{
	time_t whole = (time_t)seconds;
	struct timespec t = { whole, (long)((seconds - (double)whole) * 1e9) };

	nanosleep(&t, NULL);
}

bool bench_threads_run(struct atmost *pool, unsigned n, double seconds,
		       bool sessions, struct bench_threads_result *result,
		       char *why, size_t size)
{
	struct shared *s = aligned_alloc(LINE, sizeof *s);
	struct worker *worker = aligned_alloc(LINE, n * sizeof *worker);
	double started;

	memset(result, 0, sizeof *result);
	if (!s || !worker) {
		snprintf(why, size, "out of memory");
		goto free_memory;
	}
	memset(s, 0, sizeof *s);
	memset(worker, 0, n * sizeof *worker);
	s->pool = pool;
	pthread_barrier_init(&s->start, NULL, n + 1);
	if (!start_all(worker, s, n, sessions)) {
		snprintf(why, size, "cannot start %u threads", n);
		return false; /* started workers still use the memory */
	}
	pthread_barrier_wait(&s->start);
	started = seconds_on(CLOCK_MONOTONIC);
	sleep_for(seconds);
	__atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED);
	result->seconds = seconds_on(CLOCK_MONOTONIC) - started;
	if (!join_all(worker, n, why, size))
		return false;
	sum_up(result, worker, n);
	pthread_barrier_destroy(&s->start);
free_memory:
	free(worker);
	free(s);
	return result->seconds > 0;
}
