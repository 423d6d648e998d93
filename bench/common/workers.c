/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/workers.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/section.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *run_thread(void *worker)
{
	struct worker *w = worker;

	w->run(w->argument);
	return NULL;
}

/* Signals go to the main thread, except SIGSEGV and SIGBUS, which the thread
 * causes itself. */
static bool start_thread(struct worker *w)
{
	enum { STACK = 256 * 1024 };
	pthread_attr_t with;
	sigset_t all, before;

	pthread_attr_init(&with);
	pthread_attr_setstacksize(&with, STACK);
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errno = pthread_create(&w->thread, &with, run_thread, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&with);
	return errno == 0;
}

/*
 * The child must not run the program's clean_up, so signals stay blocked until
 * the child has removed the signal handlers.
 */
static bool start_process(struct worker *w)
{
	const int handled[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				SIGABRT, SIGSEGV, SIGBUS };
	const pid_t parent = getpid();
	sigset_t all, before;

	fflush(stdout);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	w->pid = fork();
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
			signal(handled[i], SIG_DFL);
		sigprocmask(SIG_SETMASK, &before, NULL);
		w->run(w->argument);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return w->pid > 0;
}

bool worker_start(struct worker *w, bool process, void (*run)(void *),
		  void *argument)
{
	*w = (struct worker){ .run = run, .argument = argument };
	return process ? start_process(w) : start_thread(w);
}

void worker_join(struct worker *w)
{
	if (w->pid)
		waitpid(w->pid, NULL, 0);
	else
		pthread_join(w->thread, NULL);
}

void *map_shared(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

bool await_posts(sem_t *semaphore, unsigned count, int64_t patience)
{
	const struct timespec end = clock_timespec(clock_now() + patience);

	for (; count > 0; count--)
		while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &end) < 0)
			if (errno == ETIMEDOUT)
				return false;
	return true;
}

bool is_asleep(pid_t pid, pid_t tid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid,
		 (int)tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(file);
	return state == 'S';
}

void await_sleep(pid_t pid, pid_t tid)
{
	enum { PERIOD = 200000 }; /* ns */

	while (!is_asleep(pid, tid))
		section_sleep(PERIOD);
}

struct numbered_worker {
	struct worker worker;
	struct workers *workers;
	unsigned id;
};

static void run_slices(void *numbered_worker)
{
	struct numbered_worker *self = numbered_worker;
	struct workers *w = self->workers;
	struct workers_shared *shared = w->shared;
	const unsigned id = self->id;

	if (w->prepare) {
		if (!w->prepare(w->context, id))
			atomic_store(&shared->unprepared, true);
		sem_post(&shared->done);
	}
	for (;;) {
		while (sem_wait(&shared->worker[id].go) < 0)
			continue;
		if (shared->over)
			break;
		w->slice(w->context, id, shared->contender);
		sem_post(&shared->done);
	}
	if (w->finish)
		w->finish(w->context, id);
}

void workers_meet(struct workers *w, unsigned id)
{
	w->shared->worker[id].ready = clock_now();
	if (pthread_barrier_wait(&w->shared->together))
		sem_post(&w->shared->begun);
}

static bool make_shared(struct workers *w)
{
	pthread_barrierattr_t between;
	struct workers_shared *shared;

	w->shared_size = sizeof *shared + w->n * sizeof *shared->worker;
	w->shared = shared = map_shared(w->shared_size);
	w->each = calloc(w->n, sizeof *w->each);
	if (!shared || !w->each)
		return false;
	pthread_barrierattr_init(&between);
	pthread_barrierattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->together, &between, w->n);
	pthread_barrierattr_destroy(&between);
	sem_init(&shared->begun, 1, 0);
	sem_init(&shared->done, 1, 0);
	for (unsigned id = 0; id < w->n; id++)
		sem_init(&shared->worker[id].go, 1, 0);
	return true;
}

bool workers_start(struct workers *w)
{
	bool started = make_shared(w);

	for (unsigned id = 0; started && id < w->n; id++) {
		struct numbered_worker *one = &w->each[id];

		one->workers = w;
		one->id = id;
		started = worker_start(&one->worker, w->processes, run_slices,
				       one);
	}
	if (!started) {
		fprintf(stderr, "%s: cannot start %u %s: %s\n", bench.name,
			w->n, w->processes ? "processes" : "threads",
			strerror(errno));
		return false;
	}
	if (w->prepare && !await_posts(&w->shared->done, w->n, w->patience)) {
		fprintf(stderr, "%s: a worker hangs before the first slice\n",
			bench.name);
		return false;
	}
	return !atomic_load(&w->shared->unprepared);
}

static void post_go(struct workers *w)
{
	for (unsigned id = 0; id < w->n; id++)
		sem_post(&w->shared->worker[id].go);
}

void workers_stop(struct workers *w)
{
	int_fast64_t not_yet = 0;

	atomic_compare_exchange_strong(&w->shared->stopped, &not_yet,
				       clock_now());
	atomic_store(&w->shared->stop, true);
}

bool workers_slice(struct workers *w, unsigned contender, double seconds)
{
	struct workers_shared *shared = w->shared;

	shared->contender = contender;
	atomic_store(&shared->stopped, 0);
	atomic_store(&shared->stop, false);
	post_go(w);
	if (!await_posts(&shared->begun, 1, w->patience))
		return false;
	section_sleep((int64_t)(seconds * SECOND));
	workers_stop(w);
	if (!await_posts(&shared->done, w->n, w->patience))
		return false;
	w->stopped = atomic_load(&shared->stopped);
	w->started = 0;
	for (unsigned id = 0; id < w->n; id++)
		if (shared->worker[id].ready > w->started)
			w->started = shared->worker[id].ready;
	return true;
}

const char *workers_death(const struct workers *w, unsigned id)
{
	const pid_t pid = w->each[id].worker.pid;
	int status;

	if (pid <= 0 || waitpid(pid, &status, WNOHANG) != pid)
		return NULL;
	return WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended";
}

void workers_end(struct workers *w)
{
	w->shared->over = true;
	post_go(w);
	for (unsigned id = 0; id < w->n; id++)
		worker_join(&w->each[id].worker);
	munmap(w->shared, w->shared_size);
	free(w->each);
}
