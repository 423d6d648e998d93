/* SPDX-License-Identifier: BSD-2-Clause */
/* Workers are threads or processes that the main thread starts and joins. */
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
 * Starts a thread or a process, which calls run(argument) and then ends.  If
 * this program ends earlier, the kernel kills the process.  *w must keep its
 * address until worker_join.  Returns false on failure; errno then says why.
 */
bool worker_start(struct worker *w, bool process, void (*run)(void *argument),
		  void *argument);
void worker_join(struct worker *w);

/* Returns zeroed memory that forked processes share, or NULL with errno set. */
void *map_shared(size_t size);

/*
 * Waits for `count` posts.  Returns false if they do not come within `patience`
 * ns.
 */
bool await_posts(sem_t *semaphore, unsigned count, int64_t patience);

/* Returns whether the kernel says that thread `tid` of process `pid` sleeps. */
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
	void *context;    /* passed to the three functions below */

	/*
	 * Each worker calls this once, before the first slice.  May be NULL.
	 * If it returns false, it has printed an error message on stderr.
	 */
	bool (*prepare)(void *context, unsigned id);
	/*
	 * Runs one slice: gets ready, calls workers_meet, then makes passages
	 * until workers_are_stopping returns true.
	 */
	void (*slice)(void *context, unsigned id, unsigned contender);
	/* Each worker calls this once, after the last slice.  May be NULL. */
	void (*finish)(void *context, unsigned id);

	/*
	 * Times that workers_slice sets: when the last worker was ready, and
	 * when all workers were told to stop.
	 */
	int64_t started, stopped;

	struct workers_shared *shared;
	size_t shared_size;
	struct numbered_worker *each;
};

/*
 * Memory that the main thread and the workers share, with a cache line for each
 * writer.
 */
struct workers_shared {
	pthread_barrier_t together;
	sem_t begun; /* posted by one worker when all are past the barrier */
	sem_t done;  /* posted by each worker, after prepare and each slice */
	unsigned contender;
	bool over;              /* there are no more slices */
	atomic_bool unprepared; /* prepare failed in a worker */
	_Alignas(64) atomic_bool stop;
	atomic_int_fast64_t stopped; /* time of the stop; 0: not stopped yet */
	struct {
		_Alignas(64) sem_t go;
		int64_t ready; /* when the worker was ready for the slice */
	} worker[];
};

/*
 * Starts the workers.  The caller has set the fields of *w from the first to
 * `finish`.
 * Returns false, with an error message on stderr, on failure.
 */
bool workers_start(struct workers *w);

/* Runs one slice of this contender.  Returns false if a worker hangs. */
bool workers_slice(struct workers *w, unsigned contender, double seconds);

/* Waits until all workers are ready. */
void workers_meet(struct workers *w, unsigned id);

static inline bool workers_are_stopping(const struct workers *w)
{
	return atomic_load_explicit(&w->shared->stop, memory_order_relaxed);
}

/*
 * Ends the slice; the first call sets the time of the end.  A worker can call
 * this function, too.
 */
void workers_stop(struct workers *w);

/* To be called after workers_slice has returned false.  Returns a text that
 * says how worker `id` died, or NULL if it is alive or is a thread. */
const char *workers_death(const struct workers *w, unsigned id);

/* Ends the workers.  A set in which a worker hangs cannot be ended. */
void workers_end(struct workers *w);

#endif
