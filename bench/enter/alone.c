/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Part a: nobody else is there.  Each contender is called directly, in a loop
 * of its own: an indirect call would cost all the same and bring the ratios
 * nearer to 1.  The time is the thread's CPU time, which other programs do not
 * lengthen so much.
 *
 * "after a kill": a process that waited there was killed -9.
 */
#include "bench/enter/parts.h"

#include "bench/common/calls.h"
#include "bench/common/clock.h"
#include "bench/common/section.h"
#include "bench/enter/door.h"
#include "bench/enter/figure.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))
#define DO_NOT_OPTIMISE() __asm__ volatile("" ::: "memory")

KEEP static void pass_empty(unsigned long count, const struct guest *g)
{
	(void)g;
	for (; count > 0; count--)
		DO_NOT_OPTIMISE();
}

KEEP static void pass_semaphore(unsigned long count, const struct guest *g)
{
	sem_t *semaphore = g->door->shared;

	for (; count > 0; count--) {
		sem_wait(semaphore);
		DO_NOT_OPTIMISE();
		sem_post(semaphore);
	}
}

KEEP static void pass_mutex(unsigned long count, const struct guest *g)
{
	pthread_mutex_t *mutex = g->door->shared;

	for (; count > 0; count--) {
		pthread_mutex_lock(mutex);
		DO_NOT_OPTIMISE();
		pthread_mutex_unlock(mutex);
	}
}

KEEP static void pass_semop(unsigned long count, const struct guest *g)
{
	for (; count > 0; count--) {
		rival_semop.enter(g->door->shared, 0, 1);
		DO_NOT_OPTIMISE();
		rival_semop.leave(g->door->shared, 0, 1);
	}
}

KEEP static void pass_roster(unsigned long count, const struct guest *g)
{
	struct atmost_member *me = g->me;

	for (; count > 0; count--) {
		atmost_enter(me, NULL);
		DO_NOT_OPTIMISE();
		atmost_leave(me);
	}
}

enum { BASE, CONTROL, OTHERS };

static const struct contender {
	const char *name;
	const char *traced; /* its function is pass_ and this */
	const struct rival *rival;
	void (*pass)(unsigned long count, const struct guest *g);
	unsigned long count; /* passages in a slice of about a millisecond */
	bool mutex;          /* k = 1 only */
	bool killed;         /* processes only */
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

enum { COUNT = sizeof contenders / sizeof *contenders, LOOKED_AT = 1000 };

/* One of them, ready to be passed. */
struct stand {
	const struct contender *contender;
	unsigned k;
	bool processes;
	struct door door;
	struct guest guest;
};

/* What the next one who is killed says before it waits. */
static int *make_flag(void)
{
	void *flag = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return flag == MAP_FAILED ? NULL : flag;
}

static void wait_for_ever(const struct door *door, int *calling)
{
	struct guest g;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (guest_join(&g, door, 1)) {
		__atomic_store_n(calling, 1, __ATOMIC_SEQ_CST);
		guest_enter(&g);
	}
	_exit(1);
}

/* k is 1, and we hold it: who comes must wait. */
static bool kill_a_waiter(struct stand *s)
{
	int *calling = make_flag();
	pid_t pid;

	if (!calling)
		return false;
	guest_enter(&s->guest);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		wait_for_ever(&s->door, calling);
	while (!__atomic_load_n(calling, __ATOMIC_SEQ_CST) &&
	       waitpid(pid, NULL, WNOHANG) == 0)
		section_sleep(200000);
	wait_until_asleep(pid, pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	guest_leave(&s->guest);
	munmap(calling, sizeof *calling);
	return true;
}

static bool prepare(void *job)
{
	struct stand *s = job;

	return door_open(&s->door, s->contender->rival, 4, s->k,
			 s->processes) &&
	       guest_join(&s->guest, &s->door, 0) &&
	       (!s->contender->killed || kill_a_waiter(s));
}

static void clear(struct stand *s)
{
	guest_part(&s->guest);
	door_close(&s->door);
}

/* The first passage recovers the dead, by system calls that do not count.  The
 * process ends without closing anything: the pool's name goes now. */
static bool prepare_to_count(void *job)
{
	struct stand *s = job;

	if (!prepare(job))
		return false;
	s->contender->pass(1, &s->guest);
	door_remove_name(&s->door);
	return true;
}

static void pass_some(void *job)
{
	const struct stand *s = job;

	s->contender->pass(LOOKED_AT, &s->guest);
}

/* ns of CPU time for a passage */
static double slice(const struct stand *s)
{
	int64_t start = clock_cpu();

	s->contender->pass(s->contender->count, &s->guest);
	return (double)(clock_cpu() - start) / (double)s->contender->count;
}

struct cell {
	struct stand stands[COUNT];
	size_t count, blocks;
	double ns[COUNT][SAMPLES_MOST];
};

static bool open_cell(struct cell *c, unsigned k, bool processes)
{
	c->count = 0;
	for (size_t i = 0; i < COUNT; i++) {
		const struct contender *of = &contenders[i];
		struct stand *s = &c->stands[c->count];

		if ((of->mutex && k > 1) ||
		    (of->killed && !(processes && k == 1)))
			continue;
		*s = (struct stand){ .contender = of,
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
		slice(&c->stands[i]);
	for (size_t b = 0; b < c->blocks; b++) {
		statistics_shuffle(order, c->count, &r->random);
		for (size_t i = 0; i < c->count; i++)
			c->ns[order[i]][b] = slice(&c->stands[order[i]]);
	}
}

static void show_ratio(const struct cell *c, size_t i, const char *where,
		       bool is_void)
{
	const struct contender *of = c->stands[i].contender;
	const bool ours = !of->rival;
	struct figure f = {
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
	figure_show(&f);
}

static void show(const struct cell *c, const char *where)
{
	struct figure base = {
		.where = where,
		.who = "sem_t",
		.what = "time of a passage",
		.unit = "ns",
		.count = c->blocks,
	};
	double null[SAMPLES_MOST];
	struct interval v;

	memcpy(base.sample, c->ns[BASE], sizeof base.sample);
	figure_show(&base);
	for (size_t b = 0; b < c->blocks; b++)
		null[b] = c->ns[CONTROL][b] / c->ns[BASE][b];
	v = statistics_interval(null, c->blocks);
	for (size_t i = CONTROL; i < c->count; i++)
		show_ratio(c, i, where, v.low < 0.9 || v.high > 1.1);
}

static void show_calls(const struct cell *c, const char *where)
{
	for (size_t i = 0; i < c->count; i++) {
		struct stand s = c->stands[i];
		const bool ours = !s.contender->rival;
		long calls;

		if (i == CONTROL)
			continue;
		calls = calls_count(prepare_to_count, pass_some, &s);
		if (calls < 0)
			figures_say("%-20s %-17s system calls: not counted "
				    "(no seccomp here)",
				    where, s.contender->name);
		else
			figure_fact(where, s.contender->name, "system calls",
				    "a passage", ours ? AT_MOST : NO_GOAL, 0,
				    (double)calls / LOOKED_AT);
	}
}

enum { PASSAGES = 10000 };

static double instructions_of(const char *traced)
{
	char function[64], arguments[64];

	snprintf(function, sizeof function, "pass_%s", traced);
	snprintf(arguments, sizeof arguments, "%s %d", traced, PASSAGES);
	return calls_instructions(function, arguments);
}

static void show_instructions(void)
{
	double empty = instructions_of("empty");

	if (empty < 0) {
		figures_say("instructions: not measured (no valgrind)");
		return;
	}
	for (size_t i = 0; i < COUNT; i++) {
		const struct contender *of = &contenders[i];

		if (of->traced)
			figure_fact("k=1", of->name, "instructions",
				    "a passage", NO_GOAL, 0,
				    (instructions_of(of->traced) - empty) /
					    PASSAGES);
	}
}

bool alone_pass(const char *name, unsigned long count)
{
	for (size_t i = 0; i < COUNT; i++) {
		struct stand s = { .contender = &contenders[i], .k = 1 };

		if (!s.contender->traced ||
		    strcmp(s.contender->traced, name) != 0)
			continue;
		if (!prepare(&s))
			return false;
		s.contender->pass(count, &s.guest);
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

	figures_part('a', "alone: enter and leave, nobody else there");
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
			clear(&cell.stands[j]);
		show_calls(&cell, where);
	}
	show_instructions();
	return true;
}
