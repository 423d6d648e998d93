/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ticket lock that only spins.  It keeps the order of arrival, with one
 * read-modify-write to enter and one write to leave.  Waiters never sleep and
 * never give up, and dead workers are not recovered.  If each worker has a cpu
 * of its own, no lock that keeps the order of arrival is faster; otherwise the
 * workers make almost no progress.  This rival shows how much of another lock's
 * cost is the price of the order of arrival itself.
 */
#include "bench/rivals/rival.h"

#include <errno.h>
#include <stdatomic.h>

struct ticket {
	_Alignas(64) _Atomic uint64_t next;
	_Alignas(64) _Atomic uint64_t served;
};

static size_t size(unsigned n)
{
	(void)n;
	return sizeof(struct ticket);
}

static bool open_ticket(void *shared, unsigned n, unsigned k, bool processes)
{
	struct ticket *t = shared;

	(void)n;
	(void)processes;
	errno = EINVAL;
	if (k != 1)
		return false;
	atomic_init(&t->next, 0);
	atomic_init(&t->served, 0);
	return true;
}

static void close_ticket(void *shared)
{
	(void)shared;
}

static void enter(void *shared, unsigned id, uint64_t session)
{
	struct ticket *t = shared;
	uint64_t mine = atomic_fetch_add(&t->next, 1);

	(void)id;
	(void)session;
	while (atomic_load_explicit(&t->served, memory_order_acquire) != mine)
#if defined __x86_64__
		__builtin_ia32_pause();
#else
		continue;
#endif
}

static void leave(void *shared, unsigned id, uint64_t session)
{
	struct ticket *t = shared;
	uint64_t mine = atomic_load_explicit(&t->served, memory_order_relaxed);

	(void)id;
	(void)session;
	atomic_store_explicit(&t->served, mine + 1, memory_order_release);
}

const struct rival rival_ticket = {
	.name = "bare ticket",
	.size = size,
	.open = open_ticket,
	.close = close_ticket,
	.enter = enter,
	.leave = leave,
};
