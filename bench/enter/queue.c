/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts e and f: a queue whose order is known, with k = 1.
 *
 * e  A holder is inside.  The waiters come one by one: a waiter calls enter
 *    only after the kernel says that the previous waiter sleeps.  A waiter that
 *    sleeps is past its doorway.  Finally the holder leaves and immediately
 *    calls enter again, as the last of all members.  Each member that enters
 *    draws a number.  An overtake is a pair of members in which the member that
 *    called enter later entered earlier.  Because the order of the calls is
 *    certain, only the contender can cause an overtake.
 * f  A holder is inside and a hundred waiters sleep for some seconds.
 */
#include "bench/enter/parts.h"

#include "bench/common/clock.h"
#include "bench/common/section.h"
#include "bench/common/workers.h"
#include "bench/enter/instance.h"
#include "bench/enter/result.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { QUEUE_MOST = 100 };

struct queue {
	struct instance instance;
	bool processes;
	unsigned n;
	struct shared {
		atomic_uint entered;
		sem_t joined, done;
		struct place {
			sem_t go;
			atomic_int tid; /* 0 until the waiter calls enter */
			unsigned rank;  /* in the order of entry, from 0 */
			int64_t cpu;    /* CPU time of its wait, ns */
		} places[QUEUE_MOST];
	} * shared;
	struct waiter {
		struct queue *queue;
		unsigned id;
		unsigned rounds;
		struct worker worker;
	} waiters[QUEUE_MOST];
};

static void wait_in_queue(void *waiter)
{
	struct waiter *w = waiter;
	struct queue *q = w->queue;
	struct place *place = &q->shared->places[w->id];
	struct handle h;
	int64_t cpu;

	if (!handle_join(&h, &q->instance, w->id + 1))
		_exit(4);
	sem_post(&q->shared->joined);
	for (unsigned i = 0; i < w->rounds; i++) {
		while (sem_wait(&place->go) < 0)
			continue;
		cpu = clock_cpu();
		atomic_store(&place->tid, gettid());
		handle_enter(&h);
		place->cpu = clock_cpu() - cpu;
		place->rank = atomic_fetch_add(&q->shared->entered, 1);
		handle_leave(&h);
		sem_post(&q->shared->done);
	}
	handle_part(&h);
}

static bool await_all(const struct queue *q, sem_t *semaphore)
{
	if (await_posts(semaphore, q->n, 20 * (int64_t)SECOND))
		return true;
	fprintf(stderr, "enter: %s: a waiter in the queue hangs\n",
		q->instance.name);
	return false;
}

static bool queue_open(struct queue *q, const struct rival *rival, unsigned n,
		       bool processes, unsigned rounds)
{
	*q = (struct queue){ .processes = processes, .n = n };
	q->shared = mmap(NULL, sizeof *q->shared, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (q->shared == MAP_FAILED ||
	    !instance_open(&q->instance, rival, n + 1, 1, processes))
		return false;
	sem_init(&q->shared->joined, 1, 0);
	sem_init(&q->shared->done, 1, 0);
	for (unsigned id = 0; id < n; id++) {
		sem_init(&q->shared->places[id].go, 1, 0);
		q->waiters[id] = (struct waiter){ .queue = q,
						  .id = id,
						  .rounds = rounds };
		if (!worker_start(&q->waiters[id].worker, processes,
				  wait_in_queue, &q->waiters[id]))
			return false;
	}
	return await_all(q, &q->shared->joined);
}

static void queue_close(struct queue *q)
{
	for (unsigned id = 0; id < q->n; id++)
		worker_join(&q->waiters[id].worker);
	instance_close(&q->instance);
	munmap(q->shared, sizeof *q->shared);
}

/*
 * Lets the next waiter come while the holder is inside, and returns when that
 * waiter sleeps.
 */
static void let_waiter_come(struct queue *q, unsigned id)
{
	struct place *place = &q->shared->places[id];
	pid_t tid;

	atomic_store(&place->tid, 0);
	sem_post(&place->go);
	while ((tid = atomic_load(&place->tid)) == 0)
		section_sleep(100000);
	await_sleep(q->processes ? q->waiters[id].worker.pid : getpid(), tid);
}

/*
 * Counts the pairs that entered in the wrong order.  `last` is the rank of the
 * holder, which called enter last.
 */
static unsigned count_overtakes(const struct queue *q, unsigned last)
{
	unsigned count = 0;

	for (unsigned p = 0; p < q->n; p++) {
		const unsigned rank = q->shared->places[p].rank;

		for (unsigned other = p + 1; other < q->n; other++)
			count += q->shared->places[other].rank < rank;
		count += last < rank;
	}
	return count;
}

static bool make_round(struct queue *q, struct handle *holder,
		       unsigned *overtakes)
{
	unsigned last;

	atomic_store(&q->shared->entered, 0);
	handle_enter(holder);
	for (unsigned id = 0; id < q->n; id++)
		let_waiter_come(q, id);
	handle_leave(holder);
	handle_enter(holder);
	last = atomic_fetch_add(&q->shared->entered, 1);
	handle_leave(holder);
	if (!await_all(q, &q->shared->done))
		return false;
	*overtakes += count_overtakes(q, last);
	return true;
}

static bool show_overtakes(const struct rival *rival, bool processes,
			   unsigned rounds)
{
	enum { WAITERS = 7 };
	static struct queue q;
	struct handle holder;
	unsigned overtakes = 0;
	char what[48];

	if (!queue_open(&q, rival, WAITERS, processes, rounds) ||
	    !handle_join(&holder, &q.instance, 0))
		return false;
	for (unsigned i = 0; i < rounds; i++)
		if (!make_round(&q, &holder, &overtakes))
			return false;
	handle_part(&holder);
	snprintf(what, sizeof what, "overtakes in %u", rounds * (WAITERS + 1));
	result_print_one(processes ? "processes T=8 k=1" : "threads T=8 k=1",
			 q.instance.name, what, "passages",
			 rival ? NO_GOAL : AT_MOST, 0, overtakes);
	queue_close(&q);
	return true;
}

bool part_order(struct run *r)
{
	const unsigned rounds = r->quick ? 10 : 100;

	for (unsigned i = 0; i < 2; i++)
		if (!show_overtakes(&rival_semaphore, i, rounds) ||
		    !show_overtakes(NULL, i, rounds))
			return false;
	return true;
}

/* Returns the CPU time that all waiters together have used. */
static int64_t cpu_of(const struct queue *q)
{
	int64_t sum = 0;
	clockid_t clock;

	for (unsigned id = 0; id < q->n; id++) {
		const struct worker *w = &q->waiters[id].worker;
		int error = w->pid ? clock_getcpuclockid(w->pid, &clock)
				   : pthread_getcpuclockid(w->thread, &clock);

		if (!error)
			sum += clock_read(clock);
	}
	return sum;
}

static bool show_waiters(const struct rival *rival, bool processes,
			 double seconds)
{
	static struct queue q;
	struct handle holder;
	int64_t start, cpu;

	if (!queue_open(&q, rival, QUEUE_MOST, processes, 1) ||
	    !handle_join(&holder, &q.instance, 0))
		return false;
	handle_enter(&holder);
	for (unsigned id = 0; id < q.n; id++)
		sem_post(&q.shared->places[id].go);
	for (unsigned id = 0; id < q.n; id++) {
		while (!atomic_load(&q.shared->places[id].tid))
			section_sleep(100000);
		await_sleep(processes ? q.waiters[id].worker.pid : getpid(),
			    q.shared->places[id].tid);
	}
	start = clock_now();
	cpu = cpu_of(&q);
	section_sleep((int64_t)(seconds * SECOND));
	cpu = cpu_of(&q) - cpu;
	result_print_one(processes ? "processes T=100 k=1"
				   : "threads T=100 k=1",
			 q.instance.name, "CPU use of the waiters",
			 "% of a cpu", rival ? NO_GOAL : BELOW, 1,
			 100 * (double)cpu / (double)(clock_now() - start));
	handle_leave(&holder);
	if (!await_all(&q, &q.shared->done))
		return false;
	handle_part(&holder);
	queue_close(&q);
	return true;
}

bool part_waiters(struct run *r)
{
	for (unsigned i = 0; i < 2; i++)
		if (!show_waiters(&rival_semaphore, i, r->quick ? 1 : 5) ||
		    !show_waiters(NULL, i, r->quick ? 2 : 5))
			return false;
	return true;
}
