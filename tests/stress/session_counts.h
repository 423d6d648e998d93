/* SPDX-License-Identifier: BSD-2-Clause */
/* The holders count how many members of each session are inside. */
#ifndef ATMOST_TESTS_STRESS_SESSION_COUNTS_H
#define ATMOST_TESTS_STRESS_SESSION_COUNTS_H

#include "workers.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include <cmocka.h>

enum { SESSIONS = 3, MOST = 8 };

/* The struct may lie in memory that processes share. */
struct session_counts {
	atomic_uint inside[SESSIONS + 1];
	atomic_uint together; /* the most holders of one session */
	atomic_uint passages, given_up, clashes;
};

/* To be called by a holder.  If holders of two sessions are inside, the holder
 * that counts itself second sees the count of the first. */
static inline void session_counts_stay(struct session_counts *h,
				       uint64_t session, uint64_t *random)
{
	unsigned now = atomic_fetch_add(&h->inside[session], 1) + 1;
	unsigned most = atomic_load(&h->together);

	while (now > most &&
	       !atomic_compare_exchange_weak(&h->together, &most, now))
		continue;
	for (unsigned s = 1; s <= SESSIONS; s++)
		if (s != session && atomic_load(&h->inside[s]))
			atomic_fetch_add(&h->clashes, 1);
	if (prng_next(random) % 8 == 0)
		sched_yield();
	atomic_fetch_add(&h->passages, 1);
	atomic_fetch_sub(&h->inside[session], 1);
}

static inline unsigned sessions_of(const struct algorithm *a)
{
	return a->limits.most_sessions && a->limits.most_sessions < SESSIONS
		       ? a->limits.most_sessions
		       : SESSIONS;
}

static inline void session_counts_report(const char *name, const char *where,
					 const struct session_counts *h)
{
	print_message("%-28s %s  %u together  %7u passages  %6u given up\n",
		      name, where, h->together, h->passages, h->given_up);
	assert_int_equal(0, h->clashes);
	for (unsigned s = 1; s <= SESSIONS; s++)
		assert_int_equal(0, h->inside[s]);
}

static inline bool is_native_group(const struct algorithm *a)
{
	return a->kind == KIND_GROUP_EXCLUSION && algorithm_is_native(a);
}

#endif
