/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/turn.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

enum turn turn_read(const uint32_t *word)
{
	return (enum turn)__atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void wake(const uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void turn_set(uint32_t *word, enum turn to)
{
	__atomic_store_n(word, (uint32_t)to, __ATOMIC_SEQ_CST);
	wake(word);
}

bool turn_change(uint32_t *word, enum turn from, enum turn to)
{
	uint32_t seen = (uint32_t)from;

	if (!__atomic_compare_exchange_n(word, &seen, (uint32_t)to, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return false;
	wake(word);
	return true;
}

void turn_sleep(const uint32_t *word, enum turn seen, int64_t until)
{
	const struct timespec end = { .tv_sec = (time_t)(until / SECOND),
				      .tv_nsec = (long)(until % SECOND) };

	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, (uint32_t)seen,
		until == INT64_MAX ? NULL : &end, NULL, FUTEX_BITSET_MATCH_ANY);
}
