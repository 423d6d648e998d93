/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Part a: a member that is alone in its pool.  Each kind of contender has its
 * own loop, which calls the contender's functions directly: indirect calls
 * would cost every contender the same and bring the ratios nearer to 1.  Only
 * semop is called through pointers: these calls cost little compared with its
 * system calls.  The time is CPU time of the thread, because other programs
 * affect elapsed time more.
 *
 * "after kill": before the measurement, a process that waited to enter this
 * instance was killed with SIGKILL.
 */
#include "bench/enter/parts.h"

#include "bench/common/clock.h"
#include "bench/common/count.h"
#include "bench/common/section.h"
#include "bench/common/workers.h"
#include "bench/enter/instance.h"
#include "bench/enter/result.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))
#define DO_NOT_OPTIMISE() __asm__ volatile("" ::: "memory")

KEEP static void pass_empty(unsigned long count, const struct handle *h)
{
	(void)h;
	for (; count > 0; count--)
		DO_NOT_OPTIMISE();
}

KEEP static void pass_semaphore(unsigned long count, const struct handle *h)
{
	sem_t *semaphore = h->instance->shared;

	for (; count > 0; count--) {
		sem_wait(semaphore);
		DO_NOT_OPTIMISE();
		sem_post(semaphore);
	}
}

KEEP static void pass_mutex(unsigned long count, const struct handle *h)
{
	pthread_mutex_t *mutex = h->instance->shared;

	for (; count > 0; count--) {
		pthread_mutex_lock(mutex);
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(mutex);
	}
}

KEEP static void pass_semop(unsigned long count, const struct handle *h)
{
	for (; count > 0; count--) {
		rival_semop.enter(h->instance->shared, 0, 1);
		DO_NOT_OPTIMISE();
		rival_semop.leave(h->instance->shared, 0, 1);
	}
}

KEEP static void pass_roster(unsigned long count, const struct handle *h)
{
	struct atmost_member *me = h->me;

	for (; count > 0; count--) {
		atmost_enter(me, NULL);
		DO_NOT_OPTIMISE();
		atmost_leave(me);
	}
}

enum { BASE, CONTROL, OTHERS };

static const struct contender {
	const char *name;
	const char *traced; /* if not NULL, the name of `pass` without pass_ */
	const struct rival *rival;
	void (*pass)(unsigned long count, const struct handle *h);
	unsigned long count; /* passages in a slice of about a millisecond */
	bool mutex;          /* k = 1 only */
	bool killed;         /* kill a waiter first; processes only */
} contenders[] = {
	{ "sem_t", "semaphore", &rival_semaphore, pass_semaphore, 60000, false,
	  false },
	{ "sem_t again", NULL, &rival_semaphore, pass_semaphore, 60000, false,
	  false },
	{ "semop", NULL, &rival_semop, pass_semop, 2000, false, false },
	{ "mutex", "mutex", &rival_mutex, pass_mutex, 60000, true, false },
	{ "robust mutex", NULL, &rival_robust, pass_mutex, 60000, true, false },
	{ OURS, "roster", NULL, pass_roster, 60000, false, false },
	{ "sem_t after kill", NULL, &rival_semaphore, pass_semaphore, 5000,
	  false, true },
	{ OURS " after kill", NULL, NULL, pass_roster, 60000, false, true },
};

enum { COUNT = sizeof contenders / sizeof *contenders, COUNTED = 1000 };

/* A contender that was opened and joined. */
struct open_contender {
	const struct contender *contender;
	unsigned k;
	bool processes;
	struct instance instance;
	struct handle handle;
};

struct victim {
	const struct instance *instance;
	atomic_int *calling; /* set before the victim calls enter */
};

static void wait_for_ever(void *victim)
{
	const struct victim *v = victim;
	struct handle h;

	if (handle_join(&h, v->instance, 1)) {
		atomic_store(v->calling, 1);
		handle_enter(&h);
	}
	_exit(1);
}

/* k is 1 and this process is the holder, so the victim must wait. */
static bool kill_a_waiter(struct open_contender *s)
{
	struct victim v = {
		.instance = &s->instance,
		.calling = map_shared(sizeof *v.calling),
	};
	struct worker w;

	if (!v.calling)
		return false;
	handle_enter(&s->handle);
	if (!worker_start(&w, true, wait_for_ever, &v))
		return false;
	while (!atomic_load(v.calling) && waitpid(w.pid, NULL, WNOHANG) == 0)
		section_sleep(200000);
	await_sleep(w.pid, w.pid);
	kill(w.pid, SIGKILL);
	worker_join(&w);
	handle_leave(&s->handle);
	munmap(v.calling, sizeof *v.calling);
	return true;
}

static bool prepare(void *job)
{
	struct open_contender *s = job;

	return instance_open(&s->instance, s->contender->rival, 4, s->k,
			     s->processes) &&
	       handle_join(&s->handle, &s->instance, 0) &&
	       (!s->contender->killed || kill_a_waiter(s));
}

static void clear(struct open_contender *s)
{
	handle_part(&s->handle);
	instance_close(&s->instance);
}

/*
 * The first passage recovers the dead member, so the system calls of this
 * passage are not counted.  The process will end without closing the pool, so
 * the pool's name is removed now.
 */
static bool prepare_to_count(void *job)
{
	struct open_contender *s = job;

	if (!prepare(job))
		return false;
	s->contender->pass(1, &s->handle);
	instance_remove_name(&s->instance);
	return true;
}

static void pass_some(void *job)
{
	const struct open_contender *s = job;

	s->contender->pass(COUNTED, &s->handle);
}

/* Returns the CPU time of a passage in ns. */
static double slice(const struct open_contender *s)
{
	int64_t start = clock_cpu();

	s->contender->pass(s->contender->count, &s->handle);
	return (double)(clock_cpu() - start) / (double)s->contender->count;
}

struct cell {
	struct open_contender open[COUNT];
	size_t count, blocks;
	double ns[COUNT][SAMPLES_MOST];
};

static bool open_cell(struct cell *c, unsigned k, bool processes)
{
	c->count = 0;
	for (size_t i = 0; i < COUNT; i++) {
		const struct contender *of = &contenders[i];
		struct open_contender *s = &c->open[c->count];

		if ((of->mutex && k > 1) ||
		    (of->killed && !(processes && k == 1)))
			continue;
		*s = (struct open_contender){ .contender = of,
					      .k = k,
					      .processes = processes };
		if (!prepare(s))
			return false;
		c->count++;
	}
	return true;
}

static void measure(struct cell *c, struct run *r)
{
	unsigned order[COUNT];

	c->blocks = r->quick ? 61 : 301;
	for (size_t i = 0; i < c->count; i++)
		slice(&c->open[i]);
	for (size_t b = 0; b < c->blocks; b++) {
		statistics_shuffle(order, c->count, &r->random);
		for (size_t i = 0; i < c->count; i++)
			c->ns[order[i]][b] = slice(&c->open[order[i]]);
	}
}

static void show_ratio(const struct cell *c, size_t i, const char *where,
		       bool is_void)
{
	const struct contender *of = c->open[i].contender;
	const bool ours = !of->rival;
	struct result f = {
		.where = where,
		.who = of->name,
		.what = "time of a passage",
		.unit = "x sem_t",
		.goal = ours ? AT_MOST : NO_GOAL,
		.target = 1.2,
		.is_void = is_void,
		.count = c->blocks,
	};

	for (size_t b = 0; b < c->blocks; b++)
		f.sample[b] = c->ns[i][b] / c->ns[BASE][b];
	result_print(&f);
}

static void show(const struct cell *c, const char *where)
{
	struct result base = {
		.where = where,
		.who = "sem_t",
		.what = "time of a passage",
		.unit = "ns",
		.count = c->blocks,
	};
	double null[SAMPLES_MOST];
	struct interval v;

	memcpy(base.sample, c->ns[BASE], sizeof base.sample);
	result_print(&base);
	for (size_t b = 0; b < c->blocks; b++)
		null[b] = c->ns[CONTROL][b] / c->ns[BASE][b];
	v = statistics_interval(null, c->blocks);
	for (size_t i = CONTROL; i < c->count; i++)
		show_ratio(c, i, where, v.low < 0.9 || v.high > 1.1);
}

static void show_calls(const struct cell *c, const char *where)
{
	for (size_t i = 0; i < c->count; i++) {
		struct open_contender s = c->open[i];
		const bool ours = !s.contender->rival;
		long calls;

		if (i == CONTROL)
			continue;
		calls = count_system_calls(prepare_to_count, pass_some, &s);
		if (calls < 0)
			result_print_text(
				"%-20s %-17s system calls: not counted "
				"(no seccomp here)",
				where, s.contender->name);
		else
			result_print_one(where, s.contender->name,
					 "system calls", "a passage",
					 ours ? AT_MOST : NO_GOAL, 0,
					 (double)calls / COUNTED);
	}
}

enum { PASSAGES = 10000 };

static double instructions_of(const char *traced)
{
	char function[64], arguments[64];

	snprintf(function, sizeof function, "pass_%s", traced);
	snprintf(arguments, sizeof arguments, "%s %d", traced, PASSAGES);
	return count_instructions(function, arguments);
}

static void show_instructions(void)
{
	double empty = instructions_of("empty");

	if (empty < 0) {
		result_print_text("instructions: not measured (no valgrind)");
		return;
	}
	for (size_t i = 0; i < COUNT; i++) {
		const struct contender *of = &contenders[i];

		if (of->traced)
			result_print_one("k=1", of->name, "instructions",
					 "a passage", NO_GOAL, 0,
					 (instructions_of(of->traced) - empty) /
						 PASSAGES);
	}
}

bool alone_pass(const char *name, unsigned long count)
{
	for (size_t i = 0; i < COUNT; i++) {
		struct open_contender s = { .contender = &contenders[i],
					    .k = 1 };

		if (!s.contender->traced ||
		    strcmp(s.contender->traced, name) != 0)
			continue;
		if (!prepare(&s))
			return false;
		s.contender->pass(count, &s.handle);
		clear(&s);
		return true;
	}
	pass_empty(count, NULL);
	return strcmp(name, "empty") == 0;
}

bool part_alone(struct run *r)
{
	static struct cell cell;
	const unsigned ks[] = { 1, 4 };
	char where[32];

	for (unsigned i = 0; i < 4; i++) {
		const bool processes = i / 2;
		const unsigned k = ks[i % 2];

		if (!open_cell(&cell, k, processes))
			return false;
		snprintf(where, sizeof where, "%s k=%u",
			 processes ? "processes" : "threads", k);
		measure(&cell, r);
		show(&cell, where);
		for (size_t j = 0; j < cell.count; j++)
			clear(&cell.open[j]);
		show_calls(&cell, where);
	}
	show_instructions();
	return true;
}
