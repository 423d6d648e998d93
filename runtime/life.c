/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/life.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

/* A lock that has no owner, and never had one. */
static struct life fresh_lock(void)
{
	pthread_mutexattr_t robust;
	struct life fresh;

	memset(&fresh, 0, sizeof fresh);
	pthread_mutexattr_init(&robust);
	pthread_mutexattr_setpshared(&robust, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(mutex_of(&fresh), &robust);
	pthread_mutexattr_destroy(&robust);
	return fresh;
}

/* Word by word: others may look at it. */
static void make_fresh(struct life *life)
{
	const struct life fresh = fresh_lock();
	uint64_t *to = (uint64_t *)(void *)life->cell, word;

	for (size_t i = 0; i < sizeof *life / sizeof word; i++) {
		memcpy(&word, fresh.cell + i * sizeof word, sizeof word);
		__atomic_store_n(&to[i], word, __ATOMIC_RELAXED);
	}
}

static bool has_robust_list(void)
{
	void *head = NULL;
	size_t size;

	return syscall(SYS_get_robust_list, 0, &head, &size) == 0 && head;
}

bool life_begin(struct life *life)
{
	/* Whatever the last owner, or damage, has left. */
	make_fresh(life);
	pthread_mutex_trylock(mutex_of(life));
	return has_robust_list();
}

/* Whether there is a link to `to` at an address that may be no address.  Bit 0
 * of a link is a flag.  A sandbox that refuses the look must be believed. */
static bool leads_to(uintptr_t address, const void *to)
{
	uintptr_t value = 0;
	struct iovec local = { &value, sizeof value };
	struct iovec remote = { (void *)address, sizeof value };

	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) < 0)
		return errno != EFAULT;
	return (value & ~(uintptr_t)1) == (uintptr_t)to;
}

/*
 * The C library believes what the mutex says: of another kind, or another owner,
 * it would abort, and it writes to where the links of the thread's list lead.
 * So the neighbours in the list must point back.  All links of the list point at
 * a __next.
 */
static bool is_sound(struct life *life)
{
	pthread_mutex_t *mutex = mutex_of(life);
	__pthread_list_t *list = &mutex->__data.__list;
	const uintptr_t next = (uintptr_t)list->__next & ~(uintptr_t)1;
	const uintptr_t prev = (uintptr_t)list->__prev & ~(uintptr_t)1;
	struct life fresh = fresh_lock();

	return mutex->__data.__kind == mutex_of(&fresh)->__data.__kind &&
	       life_owner(life) == (pid_t)syscall(SYS_gettid) &&
	       leads_to(next - offsetof(__pthread_list_t, __next) +
				offsetof(__pthread_list_t, __prev),
			&list->__next) &&
	       leads_to(prev, &list->__next);
}

bool life_end(struct life *life)
{
	return is_sound(life) && pthread_mutex_unlock(mutex_of(life)) == 0;
}

static bool has_owner(uint32_t value)
{
	return (value & FUTEX_TID_MASK) && !(value & FUTEX_OWNER_DIED);
}

pid_t life_owner(struct life *life)
{
	uint32_t value = __atomic_load_n(futex_of(life), __ATOMIC_SEQ_CST);

	return has_owner(value) ? (pid_t)(value & FUTEX_TID_MASK) : 0;
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
