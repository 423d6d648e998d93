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

/* The offset of the futex that the kernel marks when the lock's owner dies. */
enum { FUTEX_AT = offsetof(pthread_mutex_t, __data.__lock) };

static uint32_t load(const struct life *life)
{
	const void *futex = life->cell + FUTEX_AT;

	return __atomic_load_n((const uint32_t *)futex, __ATOMIC_SEQ_CST);
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

/* Returns a lock that has no owner, and never had one. */
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

/* Writes word by word, because other processes may read the lock at the same
 * time. */
static void make_fresh(struct life *life)
{
	const struct life fresh = fresh_lock();
	uint64_t *to = (uint64_t *)(void *)life->cell, word;

	for (size_t i = 0; i < sizeof *life / sizeof word; i++) {
		memcpy(&word, fresh.cell + i * sizeof word, sizeof word);
		__atomic_store_n(&to[i], word, __ATOMIC_SEQ_CST);
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
	/* The last owner, or damage, may have left anything here. */
	make_fresh(life);
	pthread_mutex_trylock(mutex_of(life));
	return has_robust_list();
}

/*
 * Returns true if the link at this address points at `to`.  The address may be
 * invalid.  Bit 0 of a link is a flag.  If a sandbox refuses process_vm_readv,
 * the answer is true.
 */
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
 * The C library trusts the mutex: it would abort on a mutex of another kind or
 * owner, and it writes to the addresses in the links of the thread's robust
 * list.  So this function checks the kind, the owner, and that both neighbours
 * in the list point back at this mutex.  Every link of the list points at the
 * field __next of a neighbour.
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

pid_t life_owner(const struct life *life)
{
	const uint32_t value = load(life);

	return has_owner(value) ? (pid_t)(value & FUTEX_TID_MASK) : 0;
}

bool life_watch(struct life *life, struct watched_futex *watched)
{
	uint32_t *futex = (uint32_t *)(void *)(life->cell + FUTEX_AT);
	uint32_t value = load(life);

	/*
	 * The kernel wakes a sleeper at a death only if FUTEX_WAITERS is set.
	 * The flag must not be set in a lock without an owner, because the C
	 * library would conclude that the lock has an owner.
	 */
	do {
		if (!has_owner(value))
			return false;
	} while (!(value & FUTEX_WAITERS) &&
		 !__atomic_compare_exchange_n(futex, &value,
					      value | FUTEX_WAITERS, false,
					      __ATOMIC_SEQ_CST,
					      __ATOMIC_SEQ_CST));
	*watched = (struct watched_futex){ futex, value | FUTEX_WAITERS };
	return true;
}
