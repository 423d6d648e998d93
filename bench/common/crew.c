/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hiring, starting and stopping.  Whatever becomes of this program, its
 * processes go with it: the kernel kills them when it ends.
 */
#include "bench/common/crew.h"

#include "bench/common/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void open_hall(struct crew *crew)
{
	const unsigned n = crew->cell->n;
	struct hall *hall = crew->hall;
	pthread_barrierattr_t between;

	pthread_barrierattr_init(&between);
	pthread_barrierattr_setpshared(&between, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&hall->together, &between, n);
	pthread_barrierattr_destroy(&between);
	sem_init(&hall->begun, 1, 0);
	sem_init(&hall->done, 1, 0);
	for (unsigned id = 0; id < n; id++)
		sem_init(&hall->seats[id].go, 1, 0);
}

/* Room for half as many passages again as a participant alone could make. */
static bool make_room(struct crew *crew, double seconds)
{
	const unsigned n = crew->cell->n;
	const double shortest = (double)crew->cell->section->time / SECOND;

	crew->log_each = (size_t)(1.5 * seconds / shortest) + 64;
	crew->log = map(n * crew->log_each * sizeof *crew->log);
	crew->hall_size = sizeof *crew->hall + n * sizeof *crew->hall->seats;
	crew->hall = map(crew->hall_size);
	crew->members = calloc(n, sizeof *crew->members);
	if (!crew->log || !crew->hall || !crew->members)
		return false;
	open_hall(crew);
	return true;
}

static void *thread_main(void *argument)
{
	struct member *me = argument;

	crew_serve(me->crew, me->id);
	return NULL;
}

/* Signals go to the main thread, but for those that are one's own fault. */
static bool start_thread(struct member *m)
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
	errno = pthread_create(&m->thread, &with, thread_main, m);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&with);
	return errno == 0;
}

/* Blocked until the child has none of our handlers: it must not clean up. */
static bool start_process(struct member *m)
{
	const int handled[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				SIGABRT, SIGSEGV, SIGBUS };
	const pid_t parent = getpid();
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	m->pid = fork();
	if (m->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
			signal(handled[i], SIG_DFL);
		sigprocmask(SIG_SETMASK, &before, NULL);
		crew_serve(m->crew, m->id);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return m->pid > 0;
}

bool crew_hire(struct crew *crew, const struct cell *cell,
	       const struct line_up *line_up, double seconds, double speed)
{
	crew->cell = cell;
	crew->line_up = line_up;
	crew->turns = (uint64_t)(speed * (double)cell->section->time);
	if (!make_room(crew, seconds))
		return false;
	for (unsigned id = 0; id < cell->n; id++) {
		struct member *m = &crew->members[id];

		m->crew = crew;
		m->id = id;
		if (cell->processes ? !start_process(m) : !start_thread(m))
			return false;
	}
	return true;
}

static void send_off(struct crew *crew)
{
	for (unsigned id = 0; id < crew->cell->n; id++)
		sem_post(&crew->hall->seats[id].go);
}

/* False: it took longer than anybody has patience for. */
static bool hear(const struct crew *crew, sem_t *of, unsigned count)
{
	const struct timespec end = clock_timespec(clock_now() +
						   crew->patience);

	for (; count > 0; count--)
		while (sem_clockwait(of, CLOCK_MONOTONIC, &end) < 0)
			if (errno == ETIMEDOUT)
				return false;
	return true;
}

enum ending crew_slice(struct crew *crew, unsigned contender, double seconds)
{
	struct hall *hall = crew->hall;

	hall->chosen = contender;
	atomic_store(&hall->arrivals, 0);
	atomic_store(&hall->entries, 0);
	atomic_store(&hall->stopped, 0);
	atomic_store(&hall->stop, false);
	send_off(crew);
	if (!hear(crew, &hall->begun, 1))
		return HUNG;
	section_sleep((int64_t)(seconds * SECOND));
	crew_stop(hall);
	if (!hear(crew, &hall->done, crew->cell->n))
		return HUNG;
	if (atomic_load(&hall->mixed))
		return TWO_SESSIONS_INSIDE;
	return atomic_load(&hall->most_inside) ? TOO_MANY_INSIDE : ENDED;
}

static const char *death_of(const struct member *m)
{
	int status;

	if (m->pid <= 0 || waitpid(m->pid, &status, WNOHANG) != m->pid)
		return NULL;
	return WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended";
}

void crew_tell(const struct crew *crew)
{
	static const char *const names[] = {
		[AT_HOME] = "at home",
		[WAITING] = "waiting",
		[INSIDE] = "inside",
		[LEAVING] = "leaving",
	};

	for (unsigned id = 0; id < crew->cell->n; id++) {
		const struct seat *seat = &crew->hall->seats[id];
		const char *death = death_of(&crew->members[id]);

		fprintf(stderr, "  participant %u: %s%s%s\n", id,
			names[atomic_load(&seat->where)],
			death ? ", dead: " : "", death ? death : "");
	}
}

void crew_dismiss(struct crew *crew)
{
	const unsigned n = crew->cell->n;

	crew->hall->over = true;
	send_off(crew);
	for (unsigned id = 0; id < n; id++) {
		struct member *m = &crew->members[id];

		if (crew->cell->processes)
			waitpid(m->pid, NULL, 0);
		else
			pthread_join(m->thread, NULL);
	}
	munmap(crew->log, n * crew->log_each * sizeof *crew->log);
	munmap(crew->hall, crew->hall_size);
	free(crew->members);
}
