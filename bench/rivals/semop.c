/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SysV semop with SEM_UNDO: the only rival that survives kill -9 of a holder.
 * Each operation is a system call.
 *
 * The semaphore set is in the kernel and outlives the program unless the
 * program removes it.  Shared memory can be removed in advance, but a semaphore
 * set cannot, because its removal wakes the waiters.  After kill -9 of the
 * program one set is left.
 */
#include "bench/rivals/rival.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sem.h>
#include <unistd.h>

/* The set that abandon() removes; -1: none. */
static volatile sig_atomic_t present = -1;

union argument { /* of semctl, whose callers must declare this union */
	int value;
	struct semid_ds *buffer;
	unsigned short *array;
};

static size_t size(unsigned n)
{
	(void)n;
	return sizeof(int);
}

static bool open_set(void *shared, unsigned n, unsigned k, bool processes)
{
	const union argument value = { .value = (int)k };
	int *set = shared;

	(void)n;
	(void)processes;
	*set = present = semget(IPC_PRIVATE, 1, 0600);
	return *set >= 0 && semctl(*set, 0, SETVAL, value) == 0;
}

static void abandon(void)
{
	int set = present;

	present = -1;
	if (set >= 0)
		semctl(set, 0, IPC_RMID);
}

static void close_set(void *shared)
{
	(void)shared;
	abandon();
}

static void operate(int set, short change)
{
	struct sembuf operation = { .sem_op = change, .sem_flg = SEM_UNDO };

	while (semop(set, &operation, 1) < 0) {
		if (errno == EINTR)
			continue;
		/* The set was removed: the program is about to end. */
		while (errno == EIDRM || errno == EINVAL)
			pause();
		perror("semop");
		abort();
	}
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	operate(*(int *)shared, -1);
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	(void)id;
	(void)session;
	operate(*(int *)shared, 1);
}

const struct rival rival_semop = {
	.name = "semop",
	.size = size,
	.open = open_set,
	.close = close_set,
	.enter = enter,
	.leave = leave,
	.abandon = abandon,
};
