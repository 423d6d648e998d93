/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/life.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(struct life),
	       "a life lock has room for a mutex");

static pthread_mutex_t *mutex_of(struct life *life)
{
	return (pthread_mutex_t *)(void *)life->cell;
}

/* The futex the kernel marks when its owner dies. */
static uint32_t *futex_of(struct life *life)
{
	return (uint32_t *)(void *)&mutex_of(life)->__data.__lock;
}

void life_abi(char *text, size_t size)
{
	const unsigned one = 1;

	memset(text, 0, size);
	snprintf(text, size, "glibc %ce mutex %zu.%zu.%zu",
		 *(const unsigned char *)&one ? 'l' : 'b',
		 sizeof(pthread_mutex_t),
		 offsetof(pthread_mutex_t, __data.__kind),
		 offsetof(pthread_mutex_t, __data.__list));
}

void life_prepare(struct life *life)
{
	pthread_mutexattr_t robust;

	memset(life, 0, sizeof *life);
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(mutex_of(life), &robust);
	pthread_mutexattr_destroy(&robust);
}

/*
 * The C library believes what the mutex says it is: of another kind it would
 * follow pointers or abort.  All else but the futex it overwrites.
 */
static bool is_sound(struct life *life)
{
	struct life fresh;

	life_prepare(&fresh);
	return __atomic_load_n(&mutex_of(life)->__data.__kind,
			       __ATOMIC_RELAXED) ==
	       mutex_of(&fresh)->__data.__kind;
}

static enum life_taken taken(struct life *life, int error)
{
	switch (error) {
	case 0:
		return LIFE_FREE;
	case EOWNERDEAD:
		/* Or it could never be taken again. */
		pthread_mutex_consistent(mutex_of(life));
		return LIFE_DEAD;
	case EBUSY:
		return LIFE_BUSY;
	default:
		return LIFE_DAMAGED;
	}
}

enum life_taken life_take(struct life *life)
{
	if (!is_sound(life))
		return LIFE_DAMAGED;
	return taken(life, pthread_mutex_trylock(mutex_of(life)));
}

/* Such a lock is held for microseconds: who finds it busy rests and looks. */
enum life_taken life_take_before(struct life *life,
				 const struct timespec *deadline)
{
	const struct timespec rest = { .tv_nsec = 1000000 };
	enum life_taken taken = life_take(life);

	while (taken == LIFE_BUSY && !wait_is_over(deadline)) {
		nanosleep(&rest, NULL);
		taken = life_take(life);
	}
	return taken;
}

void life_release(struct life *life)
{
	pthread_mutex_unlock(mutex_of(life));
}

static bool has_owner(uint32_t value)
{
	return (value & FUTEX_TID_MASK) && !(value & FUTEX_OWNER_DIED);
}

pid_t life_owner(const struct life *life)
{
	const uint32_t *futex = futex_of((struct life *)(uintptr_t)life);
	uint32_t value = __atomic_load_n(futex, __ATOMIC_SEQ_CST);

	return has_owner(value) ? (pid_t)(value & FUTEX_TID_MASK) : 0;
}

bool life_is_free(const struct life *life)
{
	return !life_owner(life);
}

bool life_is_orphan(const struct life *life)
{
	const uint32_t *futex = futex_of((struct life *)(uintptr_t)life);
	uint32_t value = __atomic_load_n(futex, __ATOMIC_SEQ_CST);

	return value & FUTEX_OWNER_DIED && !(value & FUTEX_TID_MASK);
}

bool life_is_somebodys(const struct life *life)
{
	const uint32_t *futex = futex_of((struct life *)(uintptr_t)life);
	uint32_t value = __atomic_load_n(futex, __ATOMIC_SEQ_CST);

	return has_owner(value) &&
	       (kill((pid_t)(value & FUTEX_TID_MASK), 0) == 0 ||
		errno == EPERM);
}

bool life_watch(struct life *life, struct wait_watch *watch)
{
	uint32_t *futex = futex_of(life);
	uint32_t value = __atomic_load_n(futex, __ATOMIC_SEQ_CST);

	/*
	 * The kernel wakes for a death only if the futex says that somebody
	 * waits.  It must not be said of a lock that has no owner: the C
	 * library would take it for owned.
	 */
	do {
		if (!has_owner(value))
			return false;
	} while (!(value & FUTEX_WAITERS) &&
		 !__atomic_compare_exchange_n(futex, &value,
					      value | FUTEX_WAITERS, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	if (watch->count < WATCH_MOST)
		watch->at[watch->count++] = (struct watched_futex){
			futex, value | FUTEX_WAITERS
		};
	return true;
}
