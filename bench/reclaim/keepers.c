/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/reclaim/reclaim.h"

#include "atmost/atmost.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/sem.h>

static const char name[] = "reclaim";

/* An object of the library, k = 1; or a group, in which the holder has another
 * session than the waiter. */

static struct atmost *object;
static struct atmost_member *me;
static struct atmost_want want;

static bool make_object(const struct keeper *self)
{
	struct atmost_shape shape = {
		.kind = self->group ? ATMOST_GROUP : ATMOST_EXCLUSION,
		.k = self->group ? 0 : 1,
		.members = 8,
		.algorithm = self->algorithm,
	};

	return atmost_open(&object, name, &shape) == 0;
}

static bool join_object(unsigned number)
{
	want.session = number;
	return atmost_join(object, &me) == 0;
}

static bool enter_object(void)
{
	return atmost_enter(me, &want) >= 0;
}

static bool leave_object(void)
{
	return atmost_leave(me) == 0;
}

static void remove_object(void)
{
	atmost_close(object);
	atmost_unlink(name);
}

/* What the library asks for deaths, alone. */

static pthread_mutex_t *mutex;

static bool make_mutex(const struct keeper *self)
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

/* A semaphore of the kernel, which undoes what the dead did. */

static int set = -1;

union argument { /* semctl's, which the caller must declare */
	int value;
	struct semid_ds *buffer;
	unsigned short *array;
};

static bool make_set(const struct keeper *self)
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

#define OBJECT(title, group)                                                 \
	{                                                                    \
		title, title, group, make_object, join_object, enter_object, \
			leave_object, remove_object                          \
	}

const struct keeper reclaim_keepers[] = {
	OBJECT("roster", false),
	OBJECT("k-bakery", false),
	OBJECT("k-bakery-fife", false),
	OBJECT("room", true),
	{ "robust mutex", NULL, false, make_mutex, join_nothing, lock_mutex,
	  unlock_mutex, remove_mutex },
	{ "semop SEM_UNDO", NULL, false, make_set, join_nothing, down, up,
	  remove_set },
};

const unsigned reclaim_keeper_count = sizeof reclaim_keepers /
				      sizeof *reclaim_keepers;
