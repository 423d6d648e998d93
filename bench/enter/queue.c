/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts e and f: a queue, made on purpose.
 *
 * e  One holds the only place.  The others come one by one: the next calls
 *    enter when the kernel says that the one before sleeps, so it is past its
 *    doorway.  At last the holder leaves and calls enter at once again, as the
 *    last of all.  Who is inside stamps itself.  An overtake is a pair of which
 *    the later to call was the earlier inside; with k = 1 nothing else can
 *    make one.
 * f  One holds the only place, a hundred wait, and a while passes.
 */
#include "bench/enter/parts.h"

#include "bench/common/clock.h"
#include "bench/common/hear.h"
#include "bench/common/section.h"
#include "bench/enter/door.h"
#include "bench/enter/figure.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUEUE_MOST = 100 };

struct line {
	struct door door;
	bool processes;
	unsigned n;
	struct shared {
		atomic_uint entered;
		sem_t joined, done;
		struct place {
			sem_t go;
			atomic_int tid; /* once it calls enter; else 0 */
			unsigned rank;  /* of its entry */
			int64_t cpu;    /* ns, that its waiting took */
		} at[QUEUE_MOST];
	} * shared;
	struct waiter {
		struct line *line;
		unsigned id;
		unsigned rounds;
		pthread_t thread;
		pid_t pid;
	} waiters[QUEUE_MOST];
};

static unsigned stamp(struct line *l)
{
	return atomic_fetch_add(&l->shared->entered, 1);
}

static void wait_in_line(struct waiter *w)
{
	struct line *l = w->line;
	struct place *place = &l->shared->at[w->id];
	struct guest g;
	int64_t cpu;

	if (!guest_join(&g, &l->door, w->id + 1))
		_exit(4);
	sem_post(&l->shared->joined);
	for (unsigned i = 0; i < w->rounds; i++) {
		while (sem_wait(&place->go) < 0)
			continue;
		cpu = clock_cpu();
		atomic_store(&place->tid, gettid());
		guest_enter(&g);
		place->cpu = clock_cpu() - cpu;
		place->rank = stamp(l);
		guest_leave(&g);
		sem_post(&l->shared->done);
	}
	guest_part(&g);
}

static void *thread_main(void *waiter)
{
	wait_in_line(waiter);
	return NULL;
}

static bool start(struct waiter *w)
{
	if (!w->line->processes)
		return pthread_create(&w->thread, NULL, thread_main, w) == 0;
	w->pid = fork();
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		wait_in_line(w);
		_exit(0);
	}
	return w->pid > 0;
}

static bool all_say(const struct line *l, sem_t *of)
{
	if (hear(of, l->n))
		return true;
	fprintf(stderr, "enter: %s: somebody in the queue hangs\n",
		l->door.name);
	return false;
}

static bool line_open(struct line *l, const struct rival *rival, unsigned n,
		      bool processes, unsigned rounds)
{
	*l = (struct line){ .processes = processes, .n = n };
	l->shared = mmap(NULL, sizeof *l->shared, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (l->shared == MAP_FAILED ||
	    !door_open(&l->door, rival, n + 1, 1, processes))
		return false;
	sem_init(&l->shared->joined, 1, 0);
	sem_init(&l->shared->done, 1, 0);
	fflush(stdout);
	for (unsigned id = 0; id < n; id++) {
		sem_init(&l->shared->at[id].go, 1, 0);
		l->waiters[id] = (struct waiter){ .line = l,
						  .id = id,
						  .rounds = rounds };
		if (!start(&l->waiters[id]))
			return false;
	}
	return all_say(l, &l->shared->joined);
}

static void line_close(struct line *l)
{
	for (unsigned id = 0; id < l->n; id++) {
		if (l->processes)
			waitpid(l->waiters[id].pid, NULL, 0);
		else
			pthread_join(l->waiters[id].thread, NULL);
	}
	door_close(&l->door);
	munmap(l->shared, sizeof *l->shared);
}

/* The place is held: the next one comes, and sleeps. */
static void let_come(struct line *l, unsigned id)
{
	struct place *place = &l->shared->at[id];
	pid_t tid;

	atomic_store(&place->tid, 0);
	sem_post(&place->go);
	while ((tid = atomic_load(&place->tid)) == 0)
		section_sleep(100000);
	wait_until_asleep(l->processes ? l->waiters[id].pid : getpid(), tid);
}

/* Pairs in the wrong order; last: the rank of who called after all of them. */
static unsigned count_overtakes(const struct line *l, unsigned last)
{
	unsigned count = 0;

	for (unsigned p = 0; p < l->n; p++) {
		const unsigned rank = l->shared->at[p].rank;

		for (unsigned q = p + 1; q < l->n; q++)
			count += l->shared->at[q].rank < rank;
		count += last < rank;
	}
	return count;
}

static bool make_round(struct line *l, struct guest *holder,
		       unsigned *overtakes)
{
	unsigned last;

	atomic_store(&l->shared->entered, 0);
	guest_enter(holder);
	for (unsigned id = 0; id < l->n; id++)
		let_come(l, id);
	guest_leave(holder);
	guest_enter(holder);
	last = stamp(l);
	guest_leave(holder);
	if (!all_say(l, &l->shared->done))
		return false;
	*overtakes += count_overtakes(l, last);
	return true;
}

static bool show_overtakes(const struct rival *rival, bool processes,
			   unsigned rounds)
{
	enum { WAITERS = 7 };
	static struct line l;
	struct guest holder;
	unsigned overtakes = 0;
	char what[48];

	if (!line_open(&l, rival, WAITERS, processes, rounds) ||
	    !guest_join(&holder, &l.door, 0))
		return false;
	for (unsigned i = 0; i < rounds; i++)
		if (!make_round(&l, &holder, &overtakes))
			return false;
	guest_part(&holder);
	snprintf(what, sizeof what, "overtakes in %u", rounds * (WAITERS + 1));
	figure_fact(processes ? "processes T=8 k=1" : "threads T=8 k=1",
		    l.door.name, what, "passages", rival ? NO_GOAL : AT_MOST, 0,
		    overtakes);
	line_close(&l);
	return true;
}

bool part_order(struct run *r)
{
	const unsigned rounds = r->quick ? 10 : 100;

	figures_part('e', "overtakes of those who already slept when another "
			  "called enter");
	for (unsigned i = 0; i < 2; i++)
		if (!show_overtakes(&rival_semaphore, i, rounds) ||
		    !show_overtakes(NULL, i, rounds))
			return false;
	return true;
}

/* What they have used so far, all together. */
static int64_t cpu_of(const struct line *l)
{
	int64_t sum = 0;
	clockid_t clock;

	for (unsigned id = 0; id < l->n; id++) {
		const struct waiter *w = &l->waiters[id];
		int error = l->processes
				    ? clock_getcpuclockid(w->pid, &clock)
				    : pthread_getcpuclockid(w->thread, &clock);

		if (!error)
			sum += clock_read(clock);
	}
	return sum;
}

static bool show_waiters(const struct rival *rival, bool processes,
			 double seconds)
{
	static struct line l;
	struct guest holder;
	int64_t start, cpu;

	if (!line_open(&l, rival, QUEUE_MOST, processes, 1) ||
	    !guest_join(&holder, &l.door, 0))
		return false;
	guest_enter(&holder);
	for (unsigned id = 0; id < l.n; id++)
		sem_post(&l.shared->at[id].go);
	for (unsigned id = 0; id < l.n; id++) {
		while (!atomic_load(&l.shared->at[id].tid))
			section_sleep(100000);
		wait_until_asleep(processes ? l.waiters[id].pid : getpid(),
				  l.shared->at[id].tid);
	}
	start = clock_now();
	cpu = cpu_of(&l);
	section_sleep((int64_t)(seconds * SECOND));
	cpu = cpu_of(&l) - cpu;
	figure_fact(processes ? "processes T=100 k=1" : "threads T=100 k=1",
		    l.door.name, "CPU use of the waiters", "% of a cpu",
		    rival ? NO_GOAL : BELOW, 1,
		    100 * (double)cpu / (double)(clock_now() - start));
	guest_leave(&holder);
	if (!all_say(&l, &l.shared->done))
		return false;
	guest_part(&holder);
	line_close(&l);
	return true;
}

bool part_waiters(struct run *r)
{
	figures_part('f', "a hundred that wait");
	for (unsigned i = 0; i < 2; i++)
		if (!show_waiters(&rival_semaphore, i, r->quick ? 1 : 5) ||
		    !show_waiters(NULL, i, r->quick ? 2 : 5))
			return false;
	return true;
}
