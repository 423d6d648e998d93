/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/reclaim/locks.h"

#include "atmost/atmost.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/sem.h>

static const char pool_name[] = "reclaim";

/* A pool with k = 1, or a group pool in which holder and waiter have different
 * sessions. */

static struct atmost *pool;
static struct atmost_member *me;
static struct atmost_want want;

static bool make_pool(const struct lock *self)
{
	struct atmost_shape shape = {
		.kind = self->group ? ATMOST_GROUP : ATMOST_EXCLUSION,
		.k = self->group ? 0 : 1,
		.members = 8,
		.algorithm = self->algorithm,
	};

	return atmost_open(&pool, pool_name, &shape) == 0;
}

static bool join_pool(unsigned number)
{
	want.session = number;
	return atmost_join(pool, &me) == 0;
}

static bool enter_pool(void)
{
	return atmost_enter(me, &want) >= 0;
}

static bool leave_pool(void)
{
	return atmost_leave(me) == 0;
}

static void remove_pool(void)
{
	atmost_close(pool);
	atmost_unlink(pool_name);
}

/* A robust mutex. */

static pthread_mutex_t *mutex;

static bool make_mutex(const struct lock *self)
{
	pthread_mutexattr_t robust;

	(void)self;
	mutex = mmap(NULL, sizeof *mutex, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	return mutex != MAP_FAILED && pthread_mutex_init(mutex, &robust) == 0;
}

static bool join_nothing(unsigned number)
{
	(void)number;
	return true;
}

static bool lock_mutex(void)
{
	int error = pthread_mutex_lock(mutex);

	if (error == EOWNERDEAD)
		error = pthread_mutex_consistent(mutex);
	return error == 0;
}

static bool unlock_mutex(void)
{
	return pthread_mutex_unlock(mutex) == 0;
}

static void remove_mutex(void)
{
	munmap(mutex, sizeof *mutex);
}

/* A SysV semaphore: the kernel undoes the operations of a dead process. */

static int set = -1;

union argument { /* of semctl, whose callers must declare this union */
	int value;
	struct semid_ds *buffer;
	unsigned short *array;
};

static bool make_set(const struct lock *self)
{
	const union argument one = { .value = 1 };

	(void)self;
	set = semget(IPC_PRIVATE, 1, 0600);
	return set >= 0 && semctl(set, 0, SETVAL, one) == 0;
}

static bool add(short number)
{
	struct sembuf operation = { 0, number, SEM_UNDO };

	return semop(set, &operation, 1) == 0;
}

static bool down(void)
{
	return add(-1);
}

static bool up(void)
{
	return add(1);
}

static void remove_set(void)
{
	semctl(set, 0, IPC_RMID);
}

#define POOL(title, group)                                             \
	{                                                              \
		title, title, group, make_pool, join_pool, enter_pool, \
			leave_pool, remove_pool                        \
	}

const struct lock reclaim_locks[LOCKS] = {
	POOL("roster", false),
	POOL("k-bakery", false),
	POOL("k-bakery-fife", false),
	POOL("room", true),
	{ "robust mutex", NULL, false, make_mutex, join_nothing, lock_mutex,
	  unlock_mutex, remove_mutex },
	{ "semop SEM_UNDO", NULL, false, make_set, join_nothing, down, up,
	  remove_set },
};
