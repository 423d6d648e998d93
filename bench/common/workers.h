/* SPDX-License-Identifier: BSD-2-Clause */
/* Workers: threads or processes that the main thread starts and joins. */
#ifndef ATMOST_BENCH_WORKERS_H
#define ATMOST_BENCH_WORKERS_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct worker {
	void (*run)(void *argument);
	void *argument;
	pthread_t thread;
	pid_t pid; /* 0: a thread */
};

/*
 * Start a thread or a process, which calls run(argument) and ends.  The kernel
 * kills the process when this program ends.  *w must stay where it is until
 * worker_join.  False: errno says why.
 */
bool worker_start(struct worker *w, bool process, void (*run)(void *argument),
		  void *argument);
void worker_join(struct worker *w);

/* Memory that forked processes share, zeroed; NULL: errno says why. */
void *map_shared(size_t size);

/* Wait for `count` posts.  False: they did not come within `patience` ns. */
bool await_posts(sem_t *semaphore, unsigned count, int64_t patience);

/* Whether the kernel says that thread `tid` of process `pid` sleeps. */
bool is_asleep(pid_t pid, pid_t tid);
void await_sleep(pid_t pid, pid_t tid);

/*
 * A set of workers that runs slices.  For a slice the main thread chooses a
 * contender.  All workers start together, and each makes passages of that
 * contender until the main thread tells all of them to stop.
 */
struct workers {
	unsigned n;
	bool processes;   /* otherwise threads */
	int64_t patience; /* ns, for the start and for the end of a slice */
	void *context;    /* for the three functions, which a worker calls */

	/* Once, before the first slice; or NULL.  False: it printed why. */
	bool (*prepare)(void *context, unsigned id);
	/* One slice: get ready, call workers_meet, then make passages until
	 * workers_are_stopping. */
	void (*slice)(void *context, unsigned id, unsigned contender);
	/* Once, after the last slice; or NULL. */
	void (*finish)(void *context, unsigned id);

	/* Set by workers_slice: when the last worker was ready, when all were
	 * told to stop. */
	int64_t started, stopped;

	struct workers_shared *shared;
	size_t shared_size;
	struct numbered_worker *each;
};

/* What the main thread and the workers share, one line for each writer. */
struct workers_shared {
	pthread_barrier_t together;
	sem_t begun; /* posted by one worker when all are past the barrier */
	sem_t done;  /* posted by each worker */
	unsigned contender;
	bool over;              /* there are no more slices */
	atomic_bool unprepared; /* prepare failed in a worker */
	_Alignas(64) atomic_bool stop;
	atomic_int_fast64_t stopped; /* when; 0: not yet */
	struct {
		_Alignas(64) sem_t go;
		int64_t ready; /* when, for the slice to start */
	} worker[];
};

/* The members up to `finish` are given.  False: it printed why on stderr. */
bool workers_start(struct workers *w);

/* False: a worker hangs. */
bool workers_slice(struct workers *w, unsigned contender, double seconds);

/* Wait until all workers are ready. */
void workers_meet(struct workers *w, unsigned id);

static inline bool workers_are_stopping(const struct workers *w)
{
	return atomic_load_explicit(&w->shared->stop, memory_order_relaxed);
}

/* Ends the slice; the first call sets its end.  A worker may call it, too. */
void workers_stop(struct workers *w);

/* How a process died, after a slice that hangs; NULL: it lives. */
const char *workers_death(const struct workers *w, unsigned id);

/* Ends the workers.  A set in which a worker hangs cannot be ended. */
void workers_end(struct workers *w);

#endif
