/* SPDX-License-Identifier: BSD-2-Clause */
#include "stops.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

static struct {
	struct actor actor;
	uint64_t at;
	bool on, after_go;
} stop;

void stops_reach(void);

void stops_set(const struct actor *actor, uint64_t at, bool after_go)
{
	stop.actor = *actor;
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
	struct oracle *oracle = stop.actor.oracle;
	struct chair *chair;

	if (!stop.on || (stop.after_go && !atomic_load(&oracle->go)))
		return;
	chair = &oracle->chair[stop.actor.chair];
	if (atomic_fetch_add(&chair->reached, 1) + 1 != stop.at)
		return;
	oracle_doom(oracle, stop.actor.chair);
	for (;;)
		kill(getpid(), SIGKILL);
}

/*
 * The linker's --wrap leads calls from the library here: locks of the C library
 * and of the file, and system calls for sleeping and waking.  The process dies
 * before the call, or after it.
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
