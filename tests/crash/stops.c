/* SPDX-License-Identifier: BSD-2-Clause */
#include "stops.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

static struct {
	struct oracle_worker worker;
	uint64_t at;
	bool on, after_go;
} stop;

void stops_reach(void);

void stops_set(const struct oracle_worker *worker, uint64_t at, bool after_go)
{
	stop.worker = *worker;
	stop.at = at;
	stop.after_go = after_go;
	stop.on = true;
}

void stops_end(void)
{
	stop.on = false;
}

void stops_reach(void)
{
	struct oracle *oracle = stop.worker.oracle;
	struct worker_state *state;

	if (!stop.on || (stop.after_go && !atomic_load(&oracle->go)))
		return;
	state = &oracle->worker[stop.worker.number];
	if (atomic_fetch_add(&state->reached, 1) + 1 != stop.at)
		return;
	oracle_mark_killed(oracle, stop.worker.number);
	for (;;)
		kill(getpid(), SIGKILL);
}

/*
 * The linker's --wrap redirects some calls that libatmost makes to the __wrap
 * functions below: mutexes, file locks, sleeping and waking.  There is a stop
 * before the call and, except for trylock, one after it.
 */
long __real_syscall(long number, long a, long b, long c, long d, long e,
		    long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e,
		    long f);
int __real_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __real_fcntl64(int fd, int command, void *argument);
int __wrap_fcntl64(int fd, int command, void *argument);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	long result;

	stops_reach();
	result = __real_syscall(number, a, b, c, d, e, f);
	stops_reach();
	return result;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	stops_reach();
	return __real_pthread_mutex_trylock(mutex);
}

int __wrap_fcntl64(int fd, int command, void *argument)
{
	int result;

	stops_reach();
	result = __real_fcntl64(fd, command, argument);
	stops_reach();
	return result;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int result;

	stops_reach();
	result = __real_pthread_mutex_unlock(mutex);
	stops_reach();
	return result;
}
