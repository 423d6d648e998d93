/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LINE = 64,
	GRACE_SECONDS = 20 /* for those who wait when the time is over */
};

/* What all threads share; each line has one purpose. */
struct crowd {
	_Alignas(LINE) unsigned inside; /* counted with atomic additions */
	_Alignas(LINE) unsigned stop;
	_Alignas(LINE) struct atmost *object;
	pthread_barrier_t start;
};

struct runner {
	_Alignas(LINE) pthread_t thread;
	struct crowd *crowd;
	uint64_t session; /* 0: none */
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

static void fail(struct runner *r, int error)
{
	r->error = error;
	snprintf(r->detail, sizeof r->detail, "%s", atmost_detail());
}

static void make_passages(struct runner *r, struct atmost_member *me)
{
	struct crowd *c = r->crowd;
	struct atmost_want want = { .session = r->session };

	while (!__atomic_load_n(&c->stop, __ATOMIC_RELAXED)) {
		unsigned inside;
		int error = atmost_enter(me, r->session ? &want : NULL);

		if (error < 0) {
			fail(r, error);
			return;
		}
		inside = __atomic_add_fetch(&c->inside, 1, __ATOMIC_SEQ_CST);
		if (inside > r->most_inside)
			r->most_inside = inside;
		__atomic_sub_fetch(&c->inside, 1, __ATOMIC_SEQ_CST);
		error = atmost_leave(me);
		if (error < 0) {
			fail(r, error);
			return;
		}
		r->passages++;
	}
}

static void *run(void *argument)
{
	struct runner *r = argument;
	struct atmost_member *me = NULL;
	int error = atmost_join(r->crowd->object, &me);

	if (error)
		fail(r, error);
	pthread_barrier_wait(&r->crowd->start);
	if (!error)
		make_passages(r, me);
	atmost_part(me);
	r->cpu = seconds_on(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static bool start_all(struct runner *runner, struct crowd *c, unsigned n,
		      bool sessions)
{
	for (unsigned i = 0; i < n; i++) {
		runner[i].crowd = c;
		runner[i].session = sessions ? 1 + i % 2 : 0;
		if (pthread_create(&runner[i].thread, NULL, run, &runner[i]))
			return false;
	}
	return true;
}

/* Those who still wait are let in by those who leave, so all come back. */
static bool join_all(struct runner *runner, unsigned n, char *why, size_t size)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += GRACE_SECONDS;
	for (unsigned i = 0; i < n; i++) {
		if (pthread_timedjoin_np(runner[i].thread, NULL, &until)) {
			snprintf(why, size, "thread %u waits for ever", i);
			return false;
		}
		if (runner[i].error) {
			snprintf(why, size, "%s", runner[i].detail);
			return false;
		}
	}
	return true;
}

static void sum_up(struct threads_result *to, const struct runner *runner,
		   unsigned n)
{
	to->least = UINT64_MAX;
	for (unsigned i = 0; i < n; i++) {
		uint64_t passages = runner[i].passages;

		to->passages += passages;
		to->cpu += runner[i].cpu;
		to->least = passages < to->least ? passages : to->least;
		to->most = passages > to->most ? passages : to->most;
		if (runner[i].most_inside > to->most_inside)
			to->most_inside = runner[i].most_inside;
	}
}

static void sleep_for(double seconds)
{
	time_t whole = (time_t)seconds;
	struct timespec t = { whole, (long)((seconds - (double)whole) * 1e9) };

	nanosleep(&t, NULL);
}

bool threads_run(struct atmost *object, unsigned n, double seconds,
		 bool sessions, struct threads_result *result, char *why,
		 size_t size)
{
	struct crowd *c = aligned_alloc(LINE, sizeof *c);
	struct runner *runner = aligned_alloc(LINE, n * sizeof *runner);
	double started;

	memset(result, 0, sizeof *result);
	if (!c || !runner) {
		snprintf(why, size, "out of memory");
		goto free_them;
	}
	memset(c, 0, sizeof *c);
	memset(runner, 0, n * sizeof *runner);
	c->object = object;
	pthread_barrier_init(&c->start, NULL, n + 1);
	if (!start_all(runner, c, n, sessions)) {
		snprintf(why, size, "cannot start %u threads", n);
		return false; /* those that were started use all this */
	}
	pthread_barrier_wait(&c->start);
	started = seconds_on(CLOCK_MONOTONIC);
	sleep_for(seconds);
	__atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED);
	result->seconds = seconds_on(CLOCK_MONOTONIC) - started;
	if (!join_all(runner, n, why, size))
		return false;
	sum_up(result, runner, n);
	pthread_barrier_destroy(&c->start);
free_them:
	free(runner);
	free(c);
	return result->seconds > 0;
}
