/* SPDX-License-Identifier: BSD-2-Clause */
/* Who of which session is inside, counted by all who are. */
#ifndef ATMOST_TESTS_HOUSE_H
#define ATMOST_TESTS_HOUSE_H

#include "crowd.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include <cmocka.h>

enum { SESSIONS = 3, MOST = 8 };

/* In memory that processes share, too. */
struct house {
	atomic_uint inside[SESSIONS + 1];
	atomic_uint together; /* most of one session */
	atomic_uint passages, given_up, clashes;
};

/* If two sessions are inside, the second one to be counted sees the first. */
static inline void house_stay(struct house *h, uint64_t session,
			      uint64_t *random)
{
	unsigned now = atomic_fetch_add(&h->inside[session], 1) + 1;
	unsigned most = atomic_load(&h->together);

	while (now > most &&
	       !atomic_compare_exchange_weak(&h->together, &most, now))
		continue;
	for (unsigned s = 1; s <= SESSIONS; s++)
		if (s != session && atomic_load(&h->inside[s]))
			atomic_fetch_add(&h->clashes, 1);
	if (crowd_random(random) % 8 == 0)
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

static inline void house_report(const char *name, const char *where,
				const struct house *h)
{
	print_message("%-28s %s  %u together  %7u passages  %6u given up\n",
		      name, where, h->together, h->passages, h->given_up);
	assert_int_equal(0, h->clashes);
	for (unsigned s = 1; s <= SESSIONS; s++)
		assert_int_equal(0, h->inside[s]);
}

static inline bool is_native_group(const struct algorithm *a)
{
	return a->kind == KIND_GROUP_EXCLUSION && !a->simulated_only;
}

#endif
