/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_TESTS_API_H
#define ATMOST_TESTS_API_H

#include <atmost/atmost.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test(name)

/*
 * In a group pool this want asks for session 1, as a NULL want does; other
 * pools have no sessions.
 */
static const struct atmost_want try = { .session = 1, .flags = ATMOST_TRY };

/* hall has no limit, so a test of it needs another session where a test of
 * another algorithm needs a full pool. */
static inline bool is_hall(const char *algorithm)
{
	return algorithm && strcmp(algorithm, "hall") == 0;
}

/* Returns a try that fails while a member of session 1 is inside a pool with
 * k = 1, or inside a pool of hall. */
static inline const struct atmost_want *rival_try(const char *algorithm)
{
	static const struct atmost_want other = { .session = 2,
						  .flags = ATMOST_TRY };

	return is_hall(algorithm) ? &other : &try;
}

/* room and hall need a group pool; with a limit k and only one session, room
 * does what roster does. */
static inline enum atmost_kind kind_for(const char *algorithm)
{
	if (is_hall(algorithm))
		return ATMOST_GROUP;
	return algorithm && strcmp(algorithm, "room") == 0 ? ATMOST_GROUP
							   : ATMOST_EXCLUSION;
}

static inline struct atmost *make(const char *algorithm, unsigned k,
				  unsigned members)
{
	struct atmost_shape shape = {
		.kind = kind_for(algorithm),
		.k = is_hall(algorithm) ? 0 : k,
		.members = members,
		.algorithm = algorithm,
	};
	struct atmost *pool = NULL;

	assert_int_equal(0, atmost_create(&pool, &shape));
	return pool;
}

static inline struct atmost_member *join(struct atmost *pool)
{
	struct atmost_member *me = NULL;

	assert_int_equal(0, atmost_join(pool, &me));
	return me;
}

static inline void expect_detail(const char *part)
{
	if (!strstr(atmost_detail(), part))
		fail_msg("\"%s\" is not in \"%s\"", part, atmost_detail());
}

#endif
